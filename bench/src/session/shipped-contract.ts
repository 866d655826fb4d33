import { readFileSync } from 'node:fs'
import { type JsonValue, parseJson } from '@parley/protocol'

const CONTRACT = new URL('../../../registry/contracts/negotiation-band.json', import.meta.url)

/** The contract of this tree that sessions are held under. */
export const shippedContract = (): JsonValue => parseJson(readFileSync(CONTRACT))
