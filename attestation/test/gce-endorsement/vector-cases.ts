import {
  encodeGoldenMeasurement,
  encodeLaunchEndorsement,
  type GoogleAuthority,
  mintGoogleRoot,
  mintLaunchEndorsement,
} from '../../../scripts/src/google-root/index.js'
import { FIRMWARE, ROOT } from './endorsed-firmware.js'

/** A folder with an endorsement and the root that it is appraised under; null where none is passed. */
export type EndorsementCase = {
  readonly folder: string
  readonly what: string
  readonly vcpus: number
  readonly endorsement: Uint8Array
  readonly root: Uint8Array | null
}

const tampered = (signer: GoogleAuthority): Uint8Array => {
  const signature = signer.sign(encodeGoldenMeasurement(FIRMWARE, signer.certificate))
  return encodeLaunchEndorsement(
    encodeGoldenMeasurement({ ...FIRMWARE, svn: 4 }, signer.certificate),
    signature,
  )
}

/** Every vector of an endorsement, freshly minted. */
export const endorsementCases = (
  root: GoogleAuthority,
  signer: GoogleAuthority,
): readonly EndorsementCase[] => {
  const good = { vcpus: 8, endorsement: mintLaunchEndorsement(signer, FIRMWARE), root: root.certificate }
  return [
    { ...good, folder: 'measure-gcp-endorsed', what: 'A signed endorsement with a measurement for 8 vcpus.' },
    {
      ...good,
      folder: 'measure-gcp-root-missing',
      what: 'The same without a root: nothing is verified.',
      root: null,
    },
    { ...good, folder: 'measure-gcp-vcpus-unendorsed', what: 'Nothing is endorsed for 3 vcpus.', vcpus: 3 },
    {
      ...good,
      folder: 'measure-gcp-tampered',
      what: 'The svn was raised after signing.',
      endorsement: tampered(signer),
    },
    {
      ...good,
      folder: 'measure-gcp-other-root',
      what: 'The root has the right name and another key.',
      root: mintGoogleRoot(ROOT).certificate,
    },
    {
      ...good,
      folder: 'measure-gcp-cut-short',
      what: 'The last byte is missing.',
      endorsement: good.endorsement.subarray(0, -1),
    },
  ]
}
