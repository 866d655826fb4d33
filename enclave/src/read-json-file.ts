import { readFileSync } from 'node:fs'
import { type JsonValue, parseJson } from '@parley/protocol'
import { RelayError } from './relay-error.js'

/** The JSON of a configuration file. @throws RelayError `config_malformed` */
export function readJsonFile(path: string): JsonValue {
  try {
    return parseJson(new Uint8Array(readFileSync(path)))
  } catch {
    throw new RelayError('config_malformed', 'the configuration cannot be read, or is not JSON')
  }
}
