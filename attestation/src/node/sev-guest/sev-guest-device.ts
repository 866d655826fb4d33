/** One request to the driver. Addresses are the device's business. */
export type Exchange = {
  /** Number of the ioctl. */
  readonly command: number
  /** The request structure; the place of an address in it is left zero. */
  readonly request: Uint8Array
  /** Size of the response structure. */
  readonly responseBytes: number
  /** Size of the buffer for certificates; 0 for none. */
  readonly certificateBytes: number
}

/** What came of it: copies, whatever the driver made of them. */
export type Answer = {
  /** Name of the error, null for success. */
  readonly errno: string | null
  /** EXITINFO2, as the hypervisor and the firmware set it. */
  readonly exitInfo2: bigint
  /** The request structure, which the driver may have written to. */
  readonly request: Uint8Array
  readonly response: Uint8Array
  readonly certificates: Uint8Array
}

/** An open /dev/sev-guest. */
export type SevGuestDevice = {
  readonly exchange: (exchange: Exchange) => Promise<Answer>
  readonly close: () => Promise<void>
}

/** Opens the device at a path; fails with an AttestationError of class collection. */
export type OpenSevGuest = (path: string) => Promise<SevGuestDevice>

/** Opens, uses and closes a device. */
export const withDevice = async <T>(
  open: OpenSevGuest,
  path: string,
  use: (device: SevGuestDevice) => Promise<T>,
): Promise<T> => {
  const device = await open(path)
  try {
    return await use(device)
  } finally {
    await device.close()
  }
}
