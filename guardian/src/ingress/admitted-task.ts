import type { OpenedAttachment } from './check-attachments.js'
import type { Classification } from './classification-label.js'
import type { ConnectionRights } from './connection-rights.js'
import type { MacKey } from './mac-key.js'
import type { Origin } from './origin.js'
import type { TaskEnvelope } from './task-envelope.js'

// What a task is after each group of steps: each type holds what the one before it had established, and more.

/** Bytes from anyone. */
export type ArrivedTask = {
  readonly body: Uint8Array
  /** SHA-256 of the body, lower-case hex. */
  readonly digest: string
  readonly task: TaskEnvelope | null
  /** The pairing's key for answers, once its MAC has verified. */
  readonly recv_key: MacKey | null
}

/** A well-formed task from anyone. */
export type ReadTask = ArrivedTask & { readonly task: TaskEnvelope }

/** A task that names a known origin. */
export type KnownTask = ReadTask & { readonly origin: Origin; readonly hasMac: boolean }

/** A task that its origin made. */
export type ProvenTask = KnownTask & { readonly recv_key: MacKey }

/** A fresh one, whose files are what they say. */
export type FreshTask = ProvenTask & {
  readonly attachments: readonly OpenedAttachment[]
  readonly classification: Classification
  readonly rights: ConnectionRights
}

/** A task that may have its effect: recorded, allowed, and its instruction fit for a model. */
export type AdmittedTask = FreshTask & {
  /** Sanitised. Never use `task.instruction`. */
  readonly instruction: string
}
