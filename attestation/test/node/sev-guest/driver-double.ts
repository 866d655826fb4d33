import type { Answer, Exchange, OpenSevGuest, SevGuestDevice } from '../../../src/node/index.js'

/** What the driver, the hypervisor and the firmware behind it do. */
export type DriverOptions = {
  /** Answers a request for a report, as the firmware would. */
  report: (reportData: Uint8Array, vmpl: number) => Uint8Array
  /** Answers a request for a key; its argument is all that the firmware reads. */
  key?: (request: Uint8Array) => Uint8Array
  /** What the host puts beside a report; it wants as many whole pages as that takes. */
  certificates?: Uint8Array
  /** The most that the driver takes for certificates; Linux takes 16 KiB. */
  mostCertificateBytes?: number
  /** The level of the key that the driver holds. */
  vmpck?: number
  /** STATUS of every response. */
  status?: number
  /** The error of every request, from the firmware or the hypervisor. */
  firmwareError?: number
  vmmError?: number
  /** The driver gives up after a minute of being throttled. */
  throttled?: boolean
  /** Size that a response claims for its report. */
  reportSize?: number
}

const GET_REPORT = 0xc0205300
const GET_DERIVED_KEY = 0xc0205301
const GET_EXT_REPORT = 0xc0205302
const PAGE = 4096
const INVALID_LEN = 1
const BUSY = 2
const INVALID_PARAM = 0x16
const NOT_ASKED = 0xffn
const NONE = new Uint8Array()

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * A double of Linux's sev-guest driver with the hypervisor and the firmware behind it: sizes refused as the driver
 * does, room for certificates asked for by the hypervisor, and the key wiped after every failure but that one.
 */
export class DriverDouble implements SevGuestDevice {
  readonly asked: Exchange[] = []
  readonly options: DriverOptions
  opened = 0
  closed = 0
  #wiped = false

  constructor(options: DriverOptions) {
    this.options = options
  }

  readonly open: OpenSevGuest = () => {
    this.opened += 1
    return Promise.resolve(this)
  }

  readonly close = (): Promise<void> => {
    this.closed += 1
    return Promise.resolve()
  }

  readonly exchange = (exchange: Exchange): Promise<Answer> => {
    this.asked.push(exchange)
    return Promise.resolve(this.#answer({ ...exchange, request: new Uint8Array(exchange.request) }))
  }

  #answer(exchange: Exchange): Answer {
    const { command, request, certificateBytes } = exchange
    if (![GET_REPORT, GET_DERIVED_KEY, GET_EXT_REPORT].includes(command))
      return this.#fail(exchange, 'ENOTTY', NOT_ASKED)
    const { mostCertificateBytes = 0x4000 } = this.options
    const badSize = certificateBytes > mostCertificateBytes || certificateBytes % PAGE !== 0
    if (command === GET_EXT_REPORT && badSize) return this.#fail(exchange, 'EINVAL', NOT_ASKED)
    if (this.#wiped) return this.#fail(exchange, 'ENOTTY', NOT_ASKED)
    const failed = this.#platformFailure(exchange)
    if (failed !== null) return failed
    const response = command === GET_DERIVED_KEY ? this.#keyResponse(request) : this.#reportResponse(request)
    const certificates = new Uint8Array(certificateBytes)
    if (command === GET_EXT_REPORT)
      certificates.set((this.options.certificates ?? NONE).subarray(0, certificateBytes))
    // The driver leaves EXITINFO2 as it was where there is nothing to say.
    return { errno: null, exitInfo2: 0n, request, response, certificates }
  }

  #platformFailure(exchange: Exchange): Answer | null {
    const { firmwareError = 0, vmmError = 0, throttled = false, certificates = NONE } = this.options
    const wantedPages = Math.ceil(certificates.length / PAGE)
    if (exchange.command === GET_EXT_REPORT && wantedPages * PAGE > exchange.certificateBytes) {
      view(exchange.request).setUint32(104, wantedPages * PAGE, true)
      return this.#fail(exchange, 'EIO', BigInt(INVALID_LEN) << 32n)
    }
    if (throttled) return this.#wipe(exchange, 'ETIMEDOUT', BigInt(BUSY) << 32n)
    if (firmwareError === 0 && vmmError === 0) return null
    return this.#wipe(exchange, 'EIO', (BigInt(vmmError) << 32n) | BigInt(firmwareError))
  }

  #wipe(exchange: Exchange, errno: string, exitInfo2: bigint): Answer {
    this.#wiped = true
    return this.#fail(exchange, errno, exitInfo2)
  }

  #fail({ request, responseBytes, certificateBytes }: Exchange, errno: string, exitInfo2: bigint): Answer {
    const [response, certificates] = [new Uint8Array(responseBytes), new Uint8Array(certificateBytes)]
    return { errno, exitInfo2, request, response, certificates }
  }

  #reportResponse(request: Uint8Array): Uint8Array {
    const vmpl = view(request).getUint32(64, true)
    const response = new Uint8Array(4000)
    const { status = vmpl < (this.options.vmpck ?? 0) ? INVALID_PARAM : 0 } = this.options
    view(response).setUint32(0, status, true)
    if (status !== 0) return response
    const report = this.options.report(request.slice(0, 64), vmpl)
    view(response).setUint32(4, this.options.reportSize ?? report.length, true)
    response.set(report, 32)
    return response
  }

  #keyResponse(request: Uint8Array): Uint8Array {
    const response = new Uint8Array(64)
    view(response).setUint32(0, this.options.status ?? 0, true)
    // Drivers read 32 bytes, newer ones 40.
    response.set(this.options.key?.(request.slice(0, 40)) ?? NONE, 32)
    return response
  }
}
