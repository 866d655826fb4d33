/** A field that a derived key can depend on (AMD 56860, MSG_KEY_REQ, GUEST_FIELD_SELECT). */
export type DerivedKeyField =
  | 'guest_policy'
  | 'image_id'
  | 'family_id'
  | 'measurement'
  | 'guest_svn'
  | 'tcb_version'

/** What key to derive. Nothing has a default: two calls give the same key only where all of it is the same. */
export type DerivedKeyRequest = {
  /** The chip's key, which changes with the platform's TCB, or that of the migration agent. */
  readonly root: 'vcek' | 'vmrk'
  /** What the key depends on. Whoever can start a guest that has these in common has the same key. */
  readonly fields: readonly DerivedKeyField[]
  /** 0 to 3, not more privileged than the guest. */
  readonly vmpl: number
  /** Counts with guest_svn: at most the guest's own. */
  readonly guestSvn: number
  /** Counts with tcb_version: all eight bytes of a TCB_VERSION, at most COMMITTED_TCB. */
  readonly tcbVersion: Uint8Array
}
