export {
  type EndorsedFirmware,
  encodeGoldenMeasurement,
  encodeLaunchEndorsement,
  mintLaunchEndorsement,
} from './encode-launch-endorsement.js'
export { bytesField, messageField, uintField } from './encode-protobuf.js'
export {
  type CertificateRequest,
  type GoogleAuthority,
  issueGoogleCertificate,
  mintGoogleRoot,
} from './google-authority.js'
