import { open } from 'node:fs/promises'
import { inKernel } from '../kernel-failure.js'

/** An open TPM: one command at a time. */
export type TpmDevice = {
  readonly exchange: (command: Uint8Array) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

// The largest that Linux's driver hands over (drivers/char/tpm/tpm.h, TPM_BUFSIZE).
const MAX_RESPONSE_BYTES = 4096

/**
 * Opens a TPM: the kernel's device (`/dev/tpmrm0`).
 * @throws AttestationError provider_missing, collector_forbidden, collector_busy, collector_failed
 */
export const openTpmDevice = async (path: string): Promise<TpmDevice> => {
  const file = await inKernel(`opening ${path}`, () => open(path, 'r+'))
  return {
    exchange: (command) =>
      inKernel(`asking ${path}`, async () => {
        await file.write(command, 0, command.length, null)
        const { buffer, bytesRead } = await file.read(
          Buffer.alloc(MAX_RESPONSE_BYTES),
          0,
          MAX_RESPONSE_BYTES,
          null,
        )
        return Uint8Array.from(buffer.subarray(0, bytesRead))
      }),
    close: () => file.close(),
  }
}
