import {
  expectedLaunchDigest,
  explainLaunchDigest,
  type LaunchDigest,
  type LaunchExplanation,
  type LaunchInput,
} from '@parley/attestation'
import { asciiJson } from '../printable.js'
import { hexOf, parseCount, parseDigest, parseHexNumber } from './measure-options.js'
import { readBounded } from './read-file.js'
import type { Io } from './run.js'

/** The options of `measure`, as commander hands them over. */
export type LaunchOptions = {
  readonly ovmf: string
  readonly kernel?: string
  readonly initrd?: string
  readonly append?: string
  readonly vcpus: string
  readonly vcpuType?: string
  readonly vcpuSig?: string
  readonly vmm: string
  readonly guestFeatures: string
  readonly ovmfHash?: string
  readonly explain?: string
  readonly json?: true
}

const MAX_OVMF_BYTES = 16 << 20
const MAX_KERNEL_BYTES = 256 << 20
const MAX_INITRD_BYTES = 1024 << 20

const processor = ({
  vcpuType,
  vcpuSig,
}: LaunchOptions): Pick<LaunchInput, 'vcpuType' | 'vcpuSignature'> => ({
  ...(vcpuType === undefined ? {} : { vcpuType }),
  ...(vcpuSig === undefined ? {} : { vcpuSignature: Number(parseHexNumber('--vcpu-sig', vcpuSig)) }),
})

const payload = async ({ kernel, initrd, append }: LaunchOptions): Promise<Partial<LaunchInput>> => ({
  ...(kernel === undefined ? {} : { kernel: await readBounded(kernel, MAX_KERNEL_BYTES) }),
  ...(initrd === undefined ? {} : { initrd: await readBounded(initrd, MAX_INITRD_BYTES) }),
  ...(append === undefined ? {} : { append }),
})

const readInput = async (options: LaunchOptions): Promise<LaunchInput> => ({
  vcpus: parseCount('--vcpus', options.vcpus),
  vmm: options.vmm,
  guestFeatures: parseHexNumber('--guest-features', options.guestFeatures),
  ...processor(options),
  ...(options.ovmfHash === undefined ? {} : { ovmfHash: parseDigest('--ovmf-hash', options.ovmfHash) }),
  ovmf: await readBounded(options.ovmf, MAX_OVMF_BYTES),
  ...(await payload(options)),
})

type Explained = { readonly reported: Uint8Array; readonly explanation: LaunchExplanation }

const explain = async (input: LaunchInput, digest: string | undefined): Promise<Explained | null> => {
  if (digest === undefined) return null
  const reported = parseDigest('--explain', digest)
  return { reported, explanation: await explainLaunchDigest(input, reported) }
}

const NOT_TRIED = [
  'another firmware, kernel or initrd than these files',
  'a kernel whose setup header QEMU patched before it hashed it',
  'an SVSM that was launched before the firmware',
]

const explanationLines = ({ matches, tried, explanations }: LaunchExplanation): string[] => {
  if (matches) return ['matches: these inputs produce the reported digest']
  if (explanations.length === 0) {
    const none = `none of the ${tried} launches that were tried has the reported digest; not tried:`
    return [none, ...NOT_TRIED.map((what) => `  - ${what}`)]
  }
  return explanations.flatMap((differences) => [
    'differs: the reported digest is reproduced with',
    ...differences.map(({ input, given, found }) => `  ${input}: ${found} (given: ${given})`),
  ])
}

const asText = ({ digest }: LaunchDigest, explained: Explained | null): string => {
  if (explained === null) return `${hexOf(digest)}\n`
  const { reported, explanation } = explained
  const heads = [`expected  ${hexOf(digest)}`, `reported  ${hexOf(reported)}`]
  return `${[...heads, ...explanationLines(explanation)].join('\n')}\n`
}

const asJson = ({ digest, steps }: LaunchDigest, explained: Explained | null): string => {
  const expected = {
    digest: hexOf(digest),
    steps: steps.map((step) => ({ ...step, digest: hexOf(step.digest) })),
  }
  const reported = explained === null ? {} : { reported: hexOf(explained.reported), ...explained.explanation }
  return asciiJson({ ...expected, ...reported })
}

/** `parley-verify measure`: the expected launch digest, and with --explain what differs. */
export const runMeasure = async (options: LaunchOptions, io: Io): Promise<number> => {
  const input = await readInput(options)
  const expected = await expectedLaunchDigest(input)
  const explained = await explain(input, options.explain)
  io.out((options.json === true ? asJson : asText)(expected, explained))
  return explained?.explanation.matches === false ? 3 : 0
}
