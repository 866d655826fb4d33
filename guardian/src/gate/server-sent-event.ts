import { canonicalize } from '@parley/protocol'
import type { LiveEvent } from './live-events.js'

/**
 * A live event as a server-sent event. Its id is its number, so that a reader that comes back says where it was.
 * Canonical JSON holds no line break, so no content can begin an event of its own.
 * @see WHATWG HTML §9.2 "Server-sent events"
 */
export const serverSentEvent = ({ record, content }: LiveEvent): string =>
  `id: ${record.fields.seq}\nevent: ${record.event}\ndata: ${canonicalize({ ...record, content })}\n\n`
