import { isJsonObject } from '@parley/protocol'
import { printable } from '@parley/verifier/node'
import type { Invitation } from '../invitation.js'

const LONGEST_VALUE = 240

/** What an invite that a relay told of is about, one a line. The terms themselves are shown before a consent. */
export const invitationText = ({ seats, contract, contract_hash }: Invitation): string => {
  const { metadata, purpose_code, participants } = contract
  const title = isJsonObject(metadata) ? metadata['title'] : undefined
  const rows = [
    ['from', seats[0] ?? ''],
    ['purpose', purpose_code],
    ...(typeof title === 'string' ? [['title', title]] : []),
    ['between', participants.join(', ')],
    ['contract', contract_hash],
  ]
  return rows
    .map(([name = '', value = '']) => `${name.padEnd(10)}${printable(value).slice(0, LONGEST_VALUE)}\n`)
    .join('')
}
