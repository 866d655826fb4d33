import { join } from 'node:path'
import { AgentError } from './agent-error.js'
import { LedgerWallet } from './ledger-wallet.js'
import { SessionFile } from './session-file.js'
import type { SessionRecord } from './session-record.js'

const SESSION_ID = /^[0-9a-f]{64}$/

/** Where a participant keeps what the relay's word is held against: its ledger heads, and a record of each session. */
export type ParticipantState = {
  readonly wallet: LedgerWallet
  /** Begins the record of a session. @throws AgentError `state_exists` */
  readonly begin: (record: SessionRecord) => Promise<SessionFile>
  /** The record of a session that was begun. @throws AgentError `state_missing`, `state_malformed` */
  readonly open: (sessionId: string) => Promise<SessionFile>
}

/**
 * State in the files of a folder, each on the disk before anybody acts on it: no crash loses a ledger head, an input's
 * salt or the number of a request.
 * @param home a folder of this participant alone
 */
export const stateInFolder = (home: string): ParticipantState => {
  const pathOf = (sessionId: string): string => {
    if (!SESSION_ID.test(sessionId)) throw missing('a session is named by 64 hex digits')
    return join(home, 'sessions', `${sessionId}.json`)
  }
  return {
    wallet: new LedgerWallet(join(home, 'ledger')),
    begin: async (record) => SessionFile.create(pathOf(record.session_id), record),
    open: async (sessionId) => SessionFile.open(pathOf(sessionId)),
  }
}

/**
 * State in memory, for an agent that runs as long as its sessions. What ends with the process: the way back into a
 * session that is under way, the salt that opens an input, and the ledger heads, without which a relay that was rolled
 * back in between is not noticed. It grows with every session.
 */
export const stateInMemory = (): ParticipantState => {
  const files = new Map<string, SessionFile>()
  return {
    wallet: LedgerWallet.inMemory(),
    begin: async (record) => {
      if (files.has(record.session_id))
        throw new AgentError('state_exists', 'the session has a record already')
      const file = SessionFile.inMemory(record)
      files.set(record.session_id, file)
      return Promise.resolve(file)
    },
    open: async (sessionId) => {
      const file = files.get(sessionId)
      if (file === undefined) throw missing('there is no such session')
      return Promise.resolve(file)
    },
  }
}

const missing = (what: string): AgentError => new AgentError('state_missing', what)
