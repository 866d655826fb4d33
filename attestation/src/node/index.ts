export {
  type ChosenCollector,
  chooseCollector,
  type CollectorOptions,
  type KernelPorts,
  type ReportInterface,
} from './choose-collector.js'
export { askKds, type KdsOptions } from './collateral/ask-kds.js'
export { collateralCache } from './collateral/collateral-cache.js'
export type { HttpAnswer, HttpGet, HttpLimits } from './collateral/http-get.js'
export {
  collectFromConfigfsTsm,
  type TsmOptions,
  type TsmReport,
} from './configfs-tsm/collect-from-configfs-tsm.js'
export type { SvsmService } from './configfs-tsm/svsm-service.js'
export { kernelFiles, type TsmFiles } from './configfs-tsm/tsm-files.js'
export type { DerivedKeyField, DerivedKeyRequest } from '../derived-key.js'
export { deriveKey } from './sev-guest/derive-key.js'
export type { Answer, Exchange, OpenSevGuest, SevGuestDevice } from './sev-guest/sev-guest-device.js'
export type { Timer } from './timer.js'
export { openBootAttester, type TpmOptions } from './tpm/open-boot-attester.js'
export { askTpm, type TpmCommand } from './tpm/tpm-command.js'
export { openTpmDevice, type TpmDevice } from './tpm/tpm-device.js'
