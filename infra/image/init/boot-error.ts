/** Every way in which the machine does not come up. The union is closed. */
export type BootErrorCode =
  | 'mount_failed'
  | 'module_failed'
  | 'network_failed'
  | 'configuration_refused'
  | 'disk_refused'
  | 'privileges_failed'

/** Thrown before the relay runs: nothing is served, and the machine starts over. */
export class BootError extends Error {
  readonly code: BootErrorCode

  constructor(code: BootErrorCode, message: string) {
    super(message)
    this.name = 'BootError'
    this.code = code
  }
}
