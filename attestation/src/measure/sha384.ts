/** SHA-384 by WebCrypto, which Node and a page have alike: one launch takes a few thousand of them. */
export const sha384 = async (data: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await globalThis.crypto.subtle.digest('SHA-384', new Uint8Array(data)))
