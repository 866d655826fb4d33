import type { InboxEventName } from '@parley/protocol'
import type { Services } from '../session/services.js'
import type { Notice } from './notice.js'

const LAST_EVENTS: readonly InboxEventName[] = ['declined', 'cancelled', 'expired', 'ended', 'lost']

/**
 * Tells a key, once in the life of this process, which of its sessions an earlier process took with it: they were open,
 * and there is no receipt of them. Otherwise an invite would be accepted, and then point at nothing.
 */
export async function tellLost({ inbox, store, table }: Services, key: string): Promise<void> {
  if (!inbox.firstLook(key)) return
  const open = new Set<string>()
  for (const { event, session_id } of inbox.after(key, 0)) {
    if (LAST_EVENTS.includes(event)) open.delete(session_id)
    else open.add(session_id)
  }
  const gone = [...open].filter((id) => table.find(id) === undefined)
  if (gone.length === 0) return
  const notices = gone.map(
    (session_id): Notice => ({ to: key, event: 'lost', session_id, role: null, reason_code: null }),
  )
  await inbox.posting(notices, (writes) => store.commit(writes()))
}
