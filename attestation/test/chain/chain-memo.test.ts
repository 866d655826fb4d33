import { describe, expect, it } from 'vitest'
import { ChainMemo, judgeGenuine, parseCertificate, type Certificate } from '../../src/index.js'
import { genuineInput, readVector } from '../evidence-folder.js'

const codeUnder = async (memo: ChainMemo, name: string, now?: number): Promise<string | null> => {
  const vector = readVector(name)
  return (await judgeGenuine({ ...vector.evidence(), now: now ?? vector.now, roots: vector.roots, memo }))
    .code
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

  it('does not remember a chain that fails', async () => {
    const memo = new ChainMemo()
    let tries = 0
    const fail = (): Promise<null> => {
      tries += 1
      return Promise.resolve(null)
    }
    await memo.chain('key', fail)
    await memo.chain('key', fail)
    expect(tries).toBe(2)
  })

  it('holds no more than its bound, and forgets the oldest first', async () => {
    const memo = new ChainMemo(2)
    const made: string[] = []
    const use = (key: string): Promise<unknown> =>
      memo.chain(key, () => {
        made.push(key)
        return Promise.resolve(() => Promise.resolve(true))
      })
    for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) await use(key)
    expect(made).toEqual(['a', 'b', 'c', 'a'])
  })

  it('reads the same certificates once, and others anew, however they are split', async () => {
    const memo = new ChainMemo()
    const [leaf] = genuineInput('milan-v3-vcek').certificates
    const input = leaf ?? new Uint8Array()
    let reads = 0
    const read = (inputs: readonly Uint8Array[]): Certificate[] => {
      reads += 1
      return inputs.map(parseCertificate)
    }
    await memo.certificates([input], read)
    await memo.certificates([new Uint8Array(input)], read)
    expect(reads).toBe(1)
    await memo.certificates([input, input], read)
    expect(reads).toBe(2)
    expect(await memo.certificates([Uint8Array.of(1, 2), Uint8Array.of()], () => [])).toEqual([])
    expect(
      await memo.certificates([Uint8Array.of(1), Uint8Array.of(2)], () => [parseCertificate(input)]),
    ).toHaveLength(1)
  })
})
