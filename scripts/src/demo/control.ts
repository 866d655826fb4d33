import { OHTTP_REQUEST_TYPE, OUTER_PATHS } from '@parley/protocol/routes'

/**
 * The control of the plaintext search: the same input through the same host-proxy, but over plain HTTP. The search must
 * find it, or it could not find anything. The relay refuses the request; that it passed the proxy is the point.
 */
export async function sendInPlain(proxyUrl: string, keyId: number, secret: string): Promise<void> {
  const body = Buffer.concat([Buffer.from([keyId]), Buffer.from(secret)])
  const response = await fetch(`${proxyUrl}${OUTER_PATHS.ohttp}`, {
    method: 'POST',
    headers: { 'content-type': OHTTP_REQUEST_TYPE },
    body,
  })
  await response.arrayBuffer()
}
