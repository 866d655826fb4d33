import { crypto } from '#crypto'
import { equalBytes } from '../equal-bytes.js'
import type { Payload, PayloadHashes } from './kernel-hashes.js'
import { combine, type LaunchDifference, type Variant } from './launch-difference.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

type Candidate = { readonly found: string; readonly bytes: Uint8Array }

/** What people hash instead of a command line with one NUL at its end. */
const cmdlineCandidates = (cmdline: Uint8Array): readonly Candidate[] => {
  const text = new TextDecoder().decode(cmdline.subarray(0, -1))
  return [
    { found: 'without the NUL at its end', bytes: bytesOf(text) },
    { found: 'with a second NUL at its end', bytes: bytesOf(`${text}\0\0`) },
    { found: 'with a newline before its NUL', bytes: bytesOf(`${text}\n\0`) },
    { found: 'without the white space at its end', bytes: bytesOf(`${text.trimEnd()}\0`) },
    { found: 'empty', bytes: bytesOf('\0') },
  ]
}

const ABSENT: Candidate = { found: 'absent', bytes: new Uint8Array() }

const varyBytes = async (
  input: 'append' | 'initrd',
  given: Uint8Array,
  candidates: readonly Candidate[],
): Promise<readonly Variant<Uint8Array>[]> => {
  const all = [{ found: 'as given', bytes: given }, ...candidates]
  const distinct = all.filter(
    ({ bytes }, at) => all.findIndex((other) => equalBytes(other.bytes, bytes)) === at,
  )
  return Promise.all(
    distinct.map(async ({ found, bytes }) => ({
      value: await crypto.sha256(bytes),
      differences: bytes === given ? [] : [{ input, given: 'as given', found }],
    })),
  )
}

const NOT_MEASURED: LaunchDifference = {
  input: 'kernel_hashes',
  given: 'measured',
  found: 'not measured (no kernel-hashes=on, or booted from a disk)',
}

/** The given payload, the mistakes that are made with it, and none. */
export const payloadVariants = async (
  payload: Payload | null,
): Promise<readonly Variant<PayloadHashes | null>[]> => {
  if (payload === null) return [{ value: null, differences: [] }]
  const kernel = await crypto.sha256(payload.kernel)
  const cmdlines = await varyBytes('append', payload.cmdline, cmdlineCandidates(payload.cmdline))
  const initrds = await varyBytes('initrd', payload.initrd, [ABSENT])
  return [
    ...combine(cmdlines, initrds, (cmdline, initrd) => ({ kernel, cmdline, initrd })),
    { value: null, differences: [NOT_MEASURED] },
  ]
}
