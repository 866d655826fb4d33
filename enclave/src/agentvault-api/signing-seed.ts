import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import {
  fromHex,
  fromUtf8,
  ProtocolError,
  type SigningKey,
  signingKeyFromSeed,
  toHex,
} from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import { readPrivateFile } from './private-file.js'

const SEED_BYTES = 32
const WHAT = 'signing_seed_file'

/**
 * The key that signs AgentVault receipts, from its seed's file. A file that is not there is made, with a fresh seed,
 * so that receipts of an earlier start stay verifiable.
 * @throws RelayError `config_malformed`
 */
export function loadSigningKey(path: string, random: (size: number) => Uint8Array): SigningKey {
  const bytes = readPrivateFile(path, WHAT)
  return signingKeyFromSeed(bytes === undefined ? made(path, random(SEED_BYTES)) : seedOf(bytes))
}

function seedOf(bytes: Uint8Array): Uint8Array {
  try {
    return fromHex(fromUtf8(bytes).trim(), SEED_BYTES)
  } catch (error) {
    if (error instanceof ProtocolError)
      throw new RelayError('config_malformed', `${WHAT}: not ${SEED_BYTES} octets in lower-case hex`)
    throw error
  }
}

function made(path: string, seed: Uint8Array): Uint8Array {
  try {
    // `wx`: a file that appeared meanwhile is not overwritten.
    const file = openSync(path, 'wx', 0o600)
    writeSync(file, `${toHex(seed)}\n`)
    fsyncSync(file)
    closeSync(file)
    return seed
  } catch {
    throw new RelayError('config_malformed', `${WHAT}: cannot be made`)
  }
}
