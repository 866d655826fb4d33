import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { inKernel } from '../kernel-failure.js'
import { type Ioctl, loadIoctl } from './load-ioctl.js'
import { viewOf } from './request-bytes.js'
import { COMMAND, EXT_REPORT_REQ, GUEST_REQUEST } from './request-layout.js'
import type { Answer, Exchange, OpenSevGuest } from './sev-guest-device.js'

const MESSAGE_VERSION = 1

// One block holds all that addresses point at, outside of the heap, where nothing moves it while the driver writes.
const layOut = ({ request, responseBytes, certificateBytes }: Exchange) => {
  const requestAt = GUEST_REQUEST.size
  const responseAt = requestAt + request.length
  const certificatesAt = responseAt + responseBytes
  const block = new ArrayBuffer(certificatesAt + certificateBytes)
  return {
    block: new Uint8Array(block),
    head: new Uint8Array(block, 0, requestAt),
    request: new Uint8Array(block, requestAt, request.length),
    response: new Uint8Array(block, responseAt, responseBytes),
    certificates: new Uint8Array(block, certificatesAt),
  }
}

const fill = (
  parts: ReturnType<typeof layOut>,
  { command, request }: Exchange,
  { addressOf }: Ioctl,
): void => {
  parts.request.set(request)
  if (command === COMMAND.SNP_GET_EXT_REPORT) {
    const address = addressOf(parts.certificates)
    viewOf(parts.request).setBigUint64(EXT_REPORT_REQ.certs_address, address, true)
  }
  const head = viewOf(parts.head)
  head.setUint8(GUEST_REQUEST.msg_version, MESSAGE_VERSION)
  head.setBigUint64(GUEST_REQUEST.req_data, addressOf(parts.request), true)
  head.setBigUint64(GUEST_REQUEST.resp_data, addressOf(parts.response), true)
}

const exchange = async (file: FileHandle, ioctl: Ioctl, asked: Exchange): Promise<Answer> => {
  const parts = layOut(asked)
  try {
    fill(parts, asked, ioctl)
    const errno = await ioctl.call(file.fd, asked.command, parts.head)
    return {
      errno,
      exitInfo2: viewOf(parts.head).getBigUint64(GUEST_REQUEST.exitinfo2, true),
      request: parts.request.slice(),
      response: parts.response.slice(),
      certificates: parts.certificates.slice(),
    }
  } finally {
    // A derived key was in it.
    parts.block.fill(0)
  }
}

/**
 * Opens the device by a foreign function call, ioctl(2): Node itself has none. The library for that is loaded here and
 * nowhere else, so that who collects by configfs-tsm needs none.
 * @throws AttestationError provider_missing, collector_forbidden, collector_failed
 */
export const openSevGuest: OpenSevGuest = async (path) => {
  const ioctl = await loadIoctl()
  const file = await inKernel(`opening ${path}`, () => open(path, constants.O_RDWR))
  return { exchange: (asked) => exchange(file, ioctl, asked), close: () => file.close() }
}
