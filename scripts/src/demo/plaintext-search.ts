/** The spellings in which a secret could pass: raw, as a JSON string, hex, base64 and base64url at each alignment. */
export function spellings(secret: string): Buffer[] {
  const raw = Buffer.from(secret)
  const escaped = Buffer.from(JSON.stringify(secret).slice(1, -1))
  const hex = raw.toString('hex')
  return [raw, escaped, Buffer.from(hex), Buffer.from(hex.toUpperCase()), ...base64Cores(raw)]
}

// Base64 depends on where in its three-octet group the secret starts; the outer characters also depend on neighbours.
function base64Cores(raw: Buffer): Buffer[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), raw])
      .toString('base64')
      .replace(/=+$/, '')
    const tail = (shift + raw.length) % 3 === 0 ? 0 : 1
    const core = text.slice(shift === 0 ? 0 : shift + 1, text.length - tail)
    return [Buffer.from(core), Buffer.from(core.replaceAll('+', '-').replaceAll('/', '_'))]
  })
}

/** Whether any spelling of any secret occurs in the bytes. */
export function sawPlaintext(seen: Buffer, secrets: readonly string[]): boolean {
  return secrets.some((secret) => spellings(secret).some((spelling) => seen.includes(spelling)))
}
