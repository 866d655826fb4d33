import { describe, expect, it } from 'vitest'
import { appraiseEvidence, ChainMemo, judgeGenuine, parseCertificate } from '../../src/index.js'
import { toHex } from '../../src/hex.js'
import { codeOf, genuineInput, readVector } from '../evidence-folder.js'
import { policyWith, REPORT_DATA } from '../policies.js'

const codeUnder = async (memo: ChainMemo, name: string, now?: number): Promise<string | null> => {
  const vector = readVector(name)
  return (await judgeGenuine({ ...vector.evidence(), now: now ?? vector.now, roots: vector.roots, memo }))
    .code
}

const ders = genuineInput('milan-v3-vcek').certificates
const [root, intermediate, leaf] = ['ARK-Milan', 'SEV-Milan', 'SEV-VCEK'].map((name) => {
  const found = ders.find((der) => parseCertificate(der).subject.commonName === name)
  if (found === undefined) throw new Error(name)
  return found
}) as [Uint8Array, Uint8Array, Uint8Array]

const verify = (): Promise<boolean> => Promise.resolve(true)

const codeUnderPolicy = async (
  memo: ChainMemo,
  changes: Record<string, unknown>,
  vector = 'milan-v3-vcek',
): Promise<string | null> => {
  const input = { ...genuineInput(vector), memo }
  const expected = { policy: policyWith(changes), reportData: REPORT_DATA }
  const { checks } = await appraiseEvidence(input, expected, input)
  return checks.find(({ result }) => result === 'failed')?.code ?? null
}

const chipOf = async (vector: string): Promise<Uint8Array | undefined> => {
  const input = genuineInput(vector)
  const expected = { policy: policyWith(), reportData: REPORT_DATA }
  return (await appraiseEvidence(input, expected, input)).report?.chip_id
}

describe('the memo of chains', () => {
  it('checks dates anew each time', async () => {
    const memo = new ChainMemo()
    expect(await codeUnder(memo, 'milan-v3-vcek')).toBeNull()
    expect(await codeUnder(memo, 'milan-v3-vcek', Date.UTC(2090, 0, 1))).toBe('certificate_expired')
    expect(await codeUnder(memo, 'milan-v3-vcek', Date.UTC(2000, 0, 1))).toBe('certificate_not_yet_valid')
  })

  it('asks anew whether the root is trusted', async () => {
    const memo = new ChainMemo()
    const { roots, ...input } = genuineInput('milan-v3-vcek')
    expect((await judgeGenuine({ ...input, roots, memo })).genuine).toBe(true)
    expect((await judgeGenuine({ ...input, memo })).code).toBe('root_not_pinned')
  })

  it('compares TCB, chip and signature anew under a leaf that it knows', async () => {
    const memo = new ChainMemo()
    expect(await codeUnder(memo, 'milan-v3-vcek')).toBeNull()
    expect(await codeUnder(memo, 'tcb-reported-not-current')).toBe('tcb_mismatch')
    expect(await codeUnder(memo, 'chip-id-masked')).toBe('chip_id_mismatch')
    expect(await codeUnder(memo, 'flipped-measurement')).toBe('report_signature_invalid')
  })

  it('knows no leaf by its name: one bit more or less is another chain', async () => {
    const memo = new ChainMemo()
    expect(await codeUnder(memo, 'milan-v3-vcek')).toBeNull()
    expect(await codeUnder(memo, 'leaf-signature-flipped')).toBe('chain_signature_invalid')
    expect(await codeUnder(memo, 'leaf-by-stranger')).toBe('chain_signature_invalid')
    expect(await codeUnder(memo, 'intermediate-by-stranger')).toBe('chain_signature_invalid')
  })

  it('makes no acceptance of a refusal, and no refusal of an acceptance, in whichever order they come', async () => {
    const memo = new ChainMemo()
    const names = [
      'leaf-by-stranger',
      'intermediate-signature-flipped',
      'milan-v3-vcek',
      'crl-revokes-intermediate',
      'leaf-signature-flipped',
      'root-flipped',
      'crl-by-stranger',
      'milan-v3-vcek',
      'intermediate-by-stranger',
    ]
    for (const name of [...names, ...names.toReversed()])
      expect([name, await codeUnder(memo, name)]).toEqual([name, readVector(name).expected.code])
  })

  it('asks the CRL that comes along, whatever was accepted without it', async () => {
    const memo = new ChainMemo()
    expect(await codeUnder(memo, 'crl-revokes-another')).toBeNull()
    expect(await codeUnder(memo, 'crl-revokes-intermediate')).toBe('certificate_revoked')
    expect(await codeUnder(memo, 'crl-signature-flipped')).toBe('crl_signature_invalid')
    expect(await codeUnder(memo, 'crl-revokes-another')).toBeNull()
  })

  it('does not mix two policies', async () => {
    const memo = new ChainMemo()
    const other = { measurement: { equals: 'ab'.repeat(48) } }
    const denied = { chip_id_denied: [toHex((await chipOf('milan-v3-vcek')) ?? new Uint8Array())] }
    expect(await codeUnderPolicy(memo, {})).toBeNull()
    expect(await codeUnderPolicy(memo, other)).toBe('measurement_mismatch')
    expect(await codeUnderPolicy(memo, denied)).toBe('chip_id_refused')
    expect(await codeUnderPolicy(memo, {})).toBeNull()
  })

  it('judges as before what it had to forget', async () => {
    const memo = new ChainMemo(1)
    for (const name of [
      'milan-v3-vcek',
      'genoa-v5-vcek',
      'leaf-by-stranger',
      'turin-v5-vcek',
      'milan-v3-vcek',
    ])
      expect([name, await codeUnder(memo, name)]).toEqual([name, readVector(name).expected.code])
  })
})

describe('its certificates', () => {
  it('are read once, wherever the same bytes lie', () => {
    const memo = new ChainMemo()
    const first = memo.certificate(leaf)
    expect(memo.certificate(new Uint8Array(leaf))).toBe(first)
    expect(memo.certificate(Uint8Array.of(9, ...leaf).subarray(1))).toBe(first)
  })

  it('are found by every byte: with one bit changed it is another, or none', () => {
    const memo = new ChainMemo()
    const first = memo.certificate(leaf)
    for (let at = 0; at < leaf.length; at++) {
      const changed = new Uint8Array(leaf)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(memo.certificate(changed, () => parseCertificate(intermediate))).not.toBe(first)
      memo.certificate(leaf)
    }
  })

  it('are not found by a part of them, nor with bytes behind', () => {
    const memo = new ChainMemo()
    memo.certificate(leaf)
    const refused = (der: Uint8Array): Promise<string | null> => codeOf(() => memo.certificate(der))
    return Promise.all(
      [leaf.subarray(1), leaf.subarray(-4), Uint8Array.of(...leaf, ...leaf), new Uint8Array()].map(
        async (der) => {
          expect(await refused(der)).toBe('certificate_malformed')
        },
      ),
    )
  })

  it('are not remembered where they cannot be read', async () => {
    const memo = new ChainMemo()
    const short = leaf.subarray(0, -1)
    const refused = (): Promise<string | null> => codeOf(() => memo.certificate(short))
    expect([await refused(), await refused()]).toEqual(['certificate_malformed', 'certificate_malformed'])
  })

  it('are copies: who changes the buffer afterwards changes nothing', () => {
    const memo = new ChainMemo()
    const buffer = new Uint8Array(leaf)
    const first = memo.certificate(buffer)
    buffer.fill(0)
    expect(memo.certificate(leaf)).toBe(first)
    expect(first.der).toEqual(leaf)
  })
})

describe('its proofs', () => {
  const memo = new ChainMemo()
  const [ark, ask, vcek] = [root, intermediate, leaf].map((der) => memo.certificate(der)) as [
    ReturnType<typeof parseCertificate>,
    ReturnType<typeof parseCertificate>,
    ReturnType<typeof parseCertificate>,
  ]
  const proved = async (by: ChainMemo, path: Parameters<ChainMemo['proved']>[0]): Promise<boolean> => {
    let asked = false
    await by.proved(path, () => {
      asked = true
      return Promise.resolve(verify)
    })
    return !asked
  }

  it('are made once for the same certificates', async () => {
    const fresh = new ChainMemo()
    expect(await proved(fresh, [vcek, ask, ark])).toBe(false)
    expect(await proved(fresh, [vcek, ask, ark])).toBe(true)
  })

  it('hold for no other path: another authority, a shorter one, equal bytes that were read apart', async () => {
    const fresh = new ChainMemo()
    await proved(fresh, [vcek, ask, ark])
    expect(await proved(fresh, [vcek, parseCertificate(intermediate), ark])).toBe(false)
    await proved(fresh, [vcek, ask, ark])
    expect(await proved(fresh, [vcek, ask, parseCertificate(root)])).toBe(false)
    await proved(fresh, [vcek, ask, ark])
    expect(await proved(fresh, [vcek, ask])).toBe(false)
    expect(await proved(fresh, [parseCertificate(leaf), ask, ark])).toBe(false)
  })

  it('of a leaf are none of its authorities, nor the other way round', async () => {
    const fresh = new ChainMemo()
    await proved(fresh, [vcek, ask, ark])
    expect(await proved(fresh, [ask, ark])).toBe(false)
  })

  it('are not remembered where they fail', async () => {
    const fresh = new ChainMemo()
    const fail = (): Promise<null> => Promise.resolve(null)
    expect(await fresh.proved([vcek, ask, ark], fail)).toBeNull()
    expect(await proved(fresh, [vcek, ask, ark])).toBe(false)
  })

  it('are bounded, and one that was used again stays', async () => {
    const fresh = new ChainMemo(2)
    const [a, b, c] = [vcek, parseCertificate(leaf), parseCertificate(leaf)] as const
    for (const one of [a, b, a, c]) await proved(fresh, [one, ask, ark])
    expect(await proved(fresh, [a, ask, ark])).toBe(true)
    expect(await proved(fresh, [b, ask, ark])).toBe(false)
  })
})
