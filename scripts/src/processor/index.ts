export { type AuthorityKeys, authorityKeys, makeAuthorityKeys } from './authority-keys.js'
export { encodeReport, type ReportFields } from './encode-report.js'
export { type LeafSubject, leafExtensions } from './leaf-extensions.js'
export type { CertificateSpec, ExtensionSpec, NameSpec, Organisation } from './mint-certificate.js'
export {
  createSimulatedProcessor,
  type ProcessorOptions,
  type SimulatedProcessor,
} from './simulated-processor.js'
export {
  createSimulatedVendor,
  SIMULATED_ORGANISATION,
  type SimulatedVendor,
  type VendorOptions,
} from './simulated-vendor.js'
