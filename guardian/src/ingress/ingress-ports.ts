import type { A2aEvent } from './a2a-event.js'
import type { Classification } from './classification-label.js'
import type { Checked } from './ingress-line.js'
import type { Origin } from './origin.js'
import type { OriginReason } from './rejection-reason.js'
import type { NonceRecord, NonceTaken } from './replay-table.js'
import type { Receiver } from './response-envelope.js'

/** The world as the pipeline sees it. A port that rejects its promise has failed, and the task with it. */
export type IngressPorts = {
  readonly receiver: Receiver
  readonly clock: {
    /** Unix time. */
    readonly nowSeconds: () => number
    /** Of a clock that no one sets. */
    readonly monotonicMs: () => number
  }
  /** Read at every call, so that what its owner changes binds the next task. */
  readonly origins: {
    readonly find: (origin_id: string) => Promise<Checked<Origin, OriginReason>>
  }
  readonly rate: {
    readonly take: (origin_id: string, perMinute: number, nowMs: number) => boolean
  }
  /** `take` is atomic, and durable when it resolves. */
  readonly replay: {
    readonly take: (nonce: Omit<NonceRecord, 'expires_at'>, now: number) => Promise<NonceTaken>
    readonly release: (nonce: Pick<NonceRecord, 'origin_id' | 'nonce'>) => Promise<void>
  }
  /** Durable when it resolves. */
  readonly audit: {
    readonly append: (event: A2aEvent) => Promise<void>
  }
  /** Whether data of that label may go to the engine that would work on it. */
  readonly dataFlow: {
    readonly allows: (flow: {
      readonly classification: Classification
      readonly origin_id: string
      readonly purpose_id: string | null
    }) => Promise<boolean>
  }
  /** Uses a subject's grant for one purpose, if there is one now; nothing is remembered between two calls. */
  readonly consent: {
    readonly consume: (asked: {
      readonly subject: string
      readonly purpose: string
      readonly origin_id: string
    }) => Promise<boolean>
  }
}
