import { type Grant, issueGrant } from '@parley/guardian'
import { generateIdentity, type Identity } from '../../src/index.js'
import { NOW_SECONDS } from './keys.js'

export const [subject, sender, receiver, stranger] = [
  generateIdentity(),
  generateIdentity(),
  generateIdentity(),
  generateIdentity(),
]

/** The subject lets the sender use its data for one purpose at the receiver. */
export const consent = (change: object = {}, by: Identity = subject): Grant =>
  issueGrant(
    {
      typ: 'consent',
      iss: by.did,
      sub: sender.did,
      aud: receiver.did,
      purpose: 'billing',
      iat: NOW_SECONDS,
      exp: NOW_SECONDS + 3600,
      max_uses: 2,
      jti: 'consent-1',
      ...change,
    },
    by.key,
  )
