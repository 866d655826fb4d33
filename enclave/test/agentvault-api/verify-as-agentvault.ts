import { createHash, createPublicKey, verify } from 'node:crypto'

/** What a client recomputes of a receipt, with the key that it took from `/health`. */
export type Artefacts = {
  readonly output?: unknown
  readonly contract?: unknown
  readonly outputSchema?: unknown
}

/**
 * Verifies a receipt as AgentVault's client does: by its version, the signature over SHA-256(prefix ‖ canonical JSON
 * without `signature`), and the hashes of what the caller holds. Written apart from the relay's own signing.
 * @returns what is wrong
 */
export function verifyAsAgentVault(
  receipt: object,
  keyHex: string,
  artefacts: Artefacts = {},
): readonly string[] {
  const { signature, ...unsigned } = receipt as Record<string, unknown>
  const isV2 = unsigned['receipt_schema_version'] === '2.1.0'
  if (!isV2 && unsigned['schema_version'] !== '1.0.0') return ['version']
  const value = isV2
    ? Buffer.from((signature as { value: string }).value, 'base64url')
    : Buffer.from(String(signature), 'hex')
  const signed = sha256(`VCAV-RECEIPT-V${isV2 ? 2 : 1}:${canonical(unsigned)}`)
  const wrong = verify(null, signed, keyOf(keyHex), value) ? [] : ['signature']
  const hashes = (isV2 ? unsigned['commitments'] : unsigned) as Record<string, unknown>
  const members = { output: 'output_hash', contract: 'contract_hash', outputSchema: 'schema_hash' } as const
  for (const name of ['output', 'contract', 'outputSchema'] as const) {
    const stated = hashes[members[name]]
    if (artefacts[name] === undefined || typeof stated !== 'string') continue
    if (sha256(canonical(artefacts[name])).toString('hex') !== stated) wrong.push(name)
  }
  return wrong
}

/** SHA-256 of canonical JSON in hex. */
export const contentHash = (value: unknown): string => sha256(canonical(value)).toString('hex')

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

const keyOf = (hex: string) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') },
    format: 'jwk',
  })

/** RFC 8785 for values whose numbers are integers. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
