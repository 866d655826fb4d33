import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { RelayError } from '../relay-error.js'

const MAX_KEY_BYTES = 1024
const KEY = /^[\x21-\x7e]+$/

/**
 * Reads a provider's key in the software lane: one line of a file that nobody but its owner may read. The confidential
 * lane has no such file, since its host would own it.
 * @param provider its name, for the message
 * @throws RelayError `config_malformed`
 */
export const readKeyFile = (path: string, provider: string): string => {
  const text = textOf(path, provider).replace(/\n$/, '')
  if (!KEY.test(text)) throw refused(provider, 'is not one line of visible ASCII')
  return text
}

const textOf = (path: string, provider: string): string => {
  const file = open(path, provider)
  try {
    const { mode, uid, size } = fstatSync(file)
    const isOurs = (mode & constants.S_IFMT) === constants.S_IFREG && uid === process.geteuid?.()
    if (!isOurs || (mode & 0o077) !== 0) throw refused(provider, 'is not a file of its owner alone (0600)')
    if (size > MAX_KEY_BYTES) throw refused(provider, 'is too large')
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

const open = (path: string, provider: string): number => {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    throw refused(provider, 'cannot be opened')
  }
}

const refused = (provider: string, what: string): RelayError =>
  new RelayError('config_malformed', `the key file of provider ${provider} ${what}`)
