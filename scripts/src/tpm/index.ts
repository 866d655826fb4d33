export { bootOfImage, type BootedImage } from './boot-of-image.js'
export { digestOf, encodeEventLog, type LoggedEvent } from './encode-event-log.js'
export { ATTESTS, eccPublic, encodeQuote, type QuoteFields, rsaPublic } from './encode-tpm.js'
export { createSimulatedTpm, type SimulatedTpm, type SimulatedTpmOptions } from './simulated-tpm.js'
export {
  certifyAttestationKey,
  type Dates,
  mintTpmIssuer,
  mintTpmRoot,
  type TpmAuthority,
} from './tpm-authority.js'
