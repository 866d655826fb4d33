import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseLaunchEndorsement } from '../../src/gce-endorsement/launch-endorsement.js'
import {
  bytesField,
  type EndorsedFirmware,
  encodeGoldenMeasurement,
  encodeLaunchEndorsement,
  messageField,
  uintField,
} from '../../../scripts/src/google-root/index.js'
import { onlyRefusesAs, refusedAs } from '../measure/refused-as.js'
import { digestOf, FIRMWARE } from './endorsed-firmware.js'

const CERTIFICATE = Uint8Array.of(1, 2, 3)
const SIGNATURE = Uint8Array.of(4, 5, 6)

const endorsementOf = (change: Partial<EndorsedFirmware> = {}, ...more: readonly Uint8Array[]): Uint8Array =>
  encodeLaunchEndorsement(
    Buffer.concat([encodeGoldenMeasurement({ ...FIRMWARE, ...change }, CERTIFICATE), ...more]),
    SIGNATURE,
  )

const bytesOf = (view: Uint8Array | null): readonly number[] => [...(view ?? [])]

test('an endorsement says what was put into it', () => {
  const { golden, signature, unknownFields } = parseLaunchEndorsement(endorsementOf())
  expect(golden.timestampMs).toBe(FIRMWARE.timestampMs)
  expect([golden.clSpec, golden.sevSnp.svn, golden.sevSnp.policy]).toEqual([700123456n, 3, 0x70000n])
  expect([...golden.sevSnp.measurements.keys()]).toEqual([2, 4, 8, 240])
  expect(bytesOf(golden.sevSnp.measurements.get(8) ?? null)).toEqual([...digestOf(8)])
  expect(bytesOf(golden.sevSnp.svsmMeasurement)).toEqual([...FIRMWARE.svsmMeasurement])
  expect(bytesOf(golden.certificate)).toEqual([...CERTIFICATE])
  expect(bytesOf(signature)).toEqual([...SIGNATURE])
  expect(unknownFields).toEqual([])
})

test('what may be left out is zero, empty or null', () => {
  const { golden } = parseLaunchEndorsement(
    endorsementOf({ clSpec: 0n, commit: new Uint8Array(), svn: 0, svsmMeasurement: new Uint8Array() }),
  )
  expect([golden.clSpec, golden.commit.length, golden.sevSnp.svn, golden.sevSnp.svsmMeasurement]).toEqual([
    0n,
    0,
    0,
    null,
  ])
})

test('the measurements of TDX are known, and skipped', () => {
  expect(parseLaunchEndorsement(endorsementOf({}, messageField(8, uintField(1, 1n)))).unknownFields).toEqual(
    [],
  )
})

test('unknown fields are listed by message and number', () => {
  const outer = Buffer.concat([endorsementOf({}, uintField(9, 1n)), bytesField(3, SIGNATURE)])
  expect(parseLaunchEndorsement(outer).unknownFields).toEqual([
    'VMLaunchEndorsement.3',
    'VMGoldenMeasurement.9',
  ])
})

const measurement = (...fields: readonly Uint8Array[]): Uint8Array => messageField(2, ...fields)
const sevSnp = (...fields: readonly Uint8Array[]): Uint8Array =>
  encodeLaunchEndorsement(
    Buffer.concat([
      messageField(1, uintField(1, 1n)),
      bytesField(4, CERTIFICATE),
      bytesField(5, FIRMWARE.uefiDigest),
      messageField(7, bytesField(3, FIRMWARE.familyId), bytesField(4, FIRMWARE.imageId), ...fields),
    ]),
    SIGNATURE,
  )

test.each<[string, Uint8Array]>([
  ['without anything', new Uint8Array()],
  ['without a signature', bytesField(1, encodeGoldenMeasurement(FIRMWARE, CERTIFICATE))],
  ['without a golden measurement', bytesField(2, SIGNATURE)],
  ['with two signatures', Buffer.concat([endorsementOf(), bytesField(2, SIGNATURE)])],
  ['over 1 MiB', new Uint8Array(2 ** 20 + 1)],
  [
    'without a certificate',
    encodeLaunchEndorsement(encodeGoldenMeasurement(FIRMWARE, new Uint8Array()), SIGNATURE),
  ],
  ['with a firmware digest of 32 bytes', endorsementOf({ uefiDigest: new Uint8Array(32).fill(1) })],
  [
    'with a measurement of 47 bytes',
    endorsementOf({ measurements: new Map([[2, new Uint8Array(47).fill(1)]]) }),
  ],
  ['with a measurement for no VMSA', endorsementOf({ measurements: new Map([[0, digestOf(1)]]) })],
  ['with an SVSM measurement of 32 bytes', endorsementOf({ svsmMeasurement: new Uint8Array(32).fill(1) })],
  ['with a family id of 15 bytes', endorsementOf({ familyId: new Uint8Array(15).fill(1) })],
  ['without an image id', endorsementOf({ imageId: new Uint8Array() })],
  ['with a time before 1970', endorsementOf({}, messageField(1, uintField(1, 2n ** 64n - 1n)))],
  ['with two times', endorsementOf({}, messageField(1, uintField(1, 1n)))],
  ['with two SEV-SNP parts', endorsementOf({}, messageField(7, uintField(1, 1n)))],
  [
    'with two measurements for one number',
    sevSnp(...[1, 2].map((at) => measurement(uintField(1, 4n), bytesField(2, digestOf(at))))),
  ],
  [
    'with an unknown field beside a measurement',
    sevSnp(measurement(uintField(1, 4n), bytesField(2, digestOf(1)), uintField(3, 1n))),
  ],
  ['with an svn over 32 bits', sevSnp(uintField(1, 2n ** 32n))],
])('an endorsement %s is refused as endorsement_malformed', async (_, bytes) => {
  await refusedAs('endorsement_malformed', () => parseLaunchEndorsement(bytes))
})

test('without a part for SEV-SNP it is refused as endorsement_malformed', async () => {
  const golden = Buffer.concat([
    messageField(1, uintField(1, 1n)),
    bytesField(4, CERTIFICATE),
    bytesField(5, FIRMWARE.uefiDigest),
  ])
  await refusedAs('endorsement_malformed', () =>
    parseLaunchEndorsement(encodeLaunchEndorsement(golden, SIGNATURE)),
  )
})

test.each([
  ['a timestamp in the year 10000', [uintField(1, 253402300800n)]],
  ['a timestamp with a second of nanoseconds', [uintField(1, 1n), uintField(2, 1_000_000_000n)]],
  ['a timestamp with a third field', [uintField(1, 1n), uintField(3, 1n)]],
])('%s is refused as endorsement_malformed', async (_, timestamp) => {
  const golden = Buffer.concat([
    messageField(1, ...timestamp),
    bytesField(4, CERTIFICATE),
    bytesField(5, FIRMWARE.uefiDigest),
    messageField(7, bytesField(3, FIRMWARE.familyId), bytesField(4, FIRMWARE.imageId)),
  ])
  await refusedAs('endorsement_malformed', () =>
    parseLaunchEndorsement(encodeLaunchEndorsement(golden, SIGNATURE)),
  )
})

test('any one changed byte leaves an endorsement or a refusal as endorsement_malformed', () => {
  const bytes = endorsementOf()
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
      const changed = Uint8Array.from(bytes)
      changed[at] = value
      onlyRefusesAs('endorsement_malformed', () => parseLaunchEndorsement(changed))
    }),
    { numRuns: 500 },
  )
})
