export {
  type AuthorityKeys,
  authorityKeys,
  type KeyPair,
  makeAuthorityKeys,
  makeLeafKey,
} from './authority-keys.js'
export { encodeReport, type ReportFields } from './encode-report.js'
export { type Demand, type IdBlockLaunch, launchWithIdBlock } from './launch-with-id-block.js'
export { type LeafSubject, leafExtensions } from './leaf-extensions.js'
export type { CertificateSpec, ExtensionSpec, NameSpec, Organisation } from './mint-certificate.js'
export type { CrlSpec, RevokedSpec } from './mint-crl.js'
export {
  createSimulatedProcessor,
  type ProcessorOptions,
  type SimulatedProcessor,
} from './simulated-processor.js'
export {
  CRL_NUMBER,
  createSimulatedVendor,
  SIMULATED_ORGANISATION,
  type SimulatedVendor,
  type VendorOptions,
} from './simulated-vendor.js'
