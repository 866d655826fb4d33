import { appraiseBoot, AttestationError, type BootAttester } from '@parley/attestation'
import { fromBase64url, keysetLeaf, qualifyingDataOf, sha256, toHex } from '@parley/protocol'
import { expect, test } from 'vitest'
import { bootOfImage } from '../../../scripts/src/tpm/boot-of-image.js'
import { createSimulatedTpm } from '../../../scripts/src/tpm/simulated-tpm.js'
import { bindLeaves } from '../../src/evidence/bind-leaves.js'
import { loadPolicyBundle } from '../../src/policy-bundle.js'
import { startRelay } from '../../src/relay.js'
import { fresh, POLICY_DIRECTORY, temporaryDirectory, testKeys } from '../boot.js'
import { testChip } from '../chip.js'
import { systemClock } from '../../src/clock.js'

const NOW = 1_800_000_000_000
const DAY = 86_400_000

const events = bootOfImage({
  uki: sha256(new Uint8Array([1])),
  innerKernel: sha256(new Uint8Array([2])),
  commandLine: 'quiet',
  secureBoot: true,
})
const simulated = () =>
  createSimulatedTpm({ events, dates: { notBeforeMs: NOW - DAY, notAfterMs: NOW + DAY } })

const bind = async (attester: BootAttester) => {
  const { collector } = await testChip()
  const { keyset, keysetDigest, receiptKey } = testKeys('confidential')
  const binder = {
    lane: 'confidential' as const,
    keysetDigest,
    receiptKey,
    collector,
    attester,
    random: fresh,
  }
  const leaves = [keysetLeaf(keyset, null), fresh(32)]
  return { keysetDigest, bindings: await bindLeaves(binder, leaves) }
}

test('beside every report stands a quote that was made for it and for this keyset', async () => {
  const tpm = await simulated()
  const { keysetDigest, bindings } = await bind(tpm.attester)
  for (const { hardware } of bindings) {
    const boot = hardware?.boot_evidence
    if (hardware == null || boot == null) throw new Error('no boot evidence')
    const report_digest = toHex(sha256(fromBase64url(hardware.report)))
    const quoted = { report_digest, keyset_digest: keysetDigest }
    const { checks } = await appraiseBoot(
      {
        akPublic: fromBase64url(boot.ak_public),
        akCertificates: boot.ak_certificates.map((each) => fromBase64url(each)),
        quote: fromBase64url(boot.quote),
        signature: fromBase64url(boot.signature),
        eventLog: fromBase64url(boot.event_log),
      },
      {
        keyDigest: tpm.attester.keyDigest,
        qualifyingData: qualifyingDataOf('confidential', quoted, boot),
        policy: null,
      },
      { now: NOW, tpmRoots: [{ certificate: tpm.rootCertificate, kind: 'simulated' }] },
    )
    expect(checks.filter(({ result }) => result === 'failed')).toEqual([])
  }
})

test('without a quote there is no report either: report_failed, with what the TPM said', async () => {
  const { attester } = await simulated()
  const quote = () => Promise.reject(new AttestationError('collector_busy', 'TPM2_Quote'))
  await expect(bind({ ...attester, quote })).rejects.toMatchObject({
    code: 'report_failed',
    message: 'collector_busy: TPM2_Quote',
  })
})

const start = async (launchCovers: 'app' | 'firmware', attester: BootAttester | null) => {
  const { collector } = await testChip()
  const bundle = loadPolicyBundle(POLICY_DIRECTORY, 'confidential')
  return startRelay({
    config: {
      listen: { host: '127.0.0.1', port: 0 },
      proxy: null,
      advertise_url: null,
      store_directory: temporaryDirectory(),
      policy_directory: POLICY_DIRECTORY,
      image_digest: null,
      collateral_directory: null,
      provider_keys: {},
      previous: null,
      profile: 'confidential',
    },
    bundle: { ...bundle, profile: { ...bundle.profile, launchCovers } },
    collector,
    attester,
    environment: {},
    clock: systemClock(),
    random: fresh,
    log: () => undefined,
  })
}

test('a relay whose launch ends at the firmware names the key of its TPM in its keyset, and ends with it', async () => {
  const { attester } = await simulated()
  const ended: string[] = []
  const close = () => Promise.resolve(void ended.push('closed'))
  const relay = await start('firmware', { ...attester, close })
  expect(relay.keyset.boot_ak).toBe(attester.keyDigest)
  await relay.close()
  expect(ended).toEqual(['closed'])
})

test('without a TPM it does not start, whatever the host configures: attester_required', async () => {
  await expect(start('firmware', null)).rejects.toMatchObject({ code: 'attester_required' })
})

test('a TPM of which the policy bundle does not speak is attester_refused', async () => {
  const { attester } = await simulated()
  await expect(start('app', attester)).rejects.toMatchObject({ code: 'attester_refused' })
})
