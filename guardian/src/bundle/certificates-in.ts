const PEM = /-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/=]{1,76}\n)+-----END CERTIFICATE-----\n/g

/**
 * The certificates of a PEM file that holds one or more, and nothing else: a comment or a key beside them would be hashed
 * as if it governed something. Otherwise none.
 */
export const certificatesIn = (text: string): readonly string[] => {
  const found = text.match(PEM) ?? []
  return found.join('') === text ? found : []
}
