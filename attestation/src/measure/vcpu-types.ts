import { AttestationError } from '../errors.js'

/** A processor as CPUID tells it: family and model are the combined ones. */
type Model = {
  readonly name: string
  readonly family: number
  readonly model: number
  readonly stepping: number
  /** How many versions there are: NAME-v1 and on. All have the same signature. */
  readonly versions: number
  readonly alias?: string
}

const MODELS: readonly Model[] = [
  { name: 'EPYC', family: 23, model: 1, stepping: 2, versions: 5, alias: 'EPYC-IBPB' },
  { name: 'EPYC-Rome', family: 23, model: 49, stepping: 0, versions: 5 },
  { name: 'EPYC-Milan', family: 25, model: 1, stepping: 1, versions: 3 },
  { name: 'EPYC-Genoa', family: 25, model: 17, stepping: 0, versions: 2 },
  { name: 'EPYC-Turin', family: 26, model: 0, stepping: 0, versions: 1 },
]

// CPUID Fn0000_0001_EAX: a family over 15 is 15 plus an extended one, a model is two halves.
const signatureOf = ({ family, model, stepping }: Model): number => {
  const base = Math.min(family, 15)
  return ((family - base) << 20) | ((model >> 4) << 16) | (base << 8) | ((model & 15) << 4) | stepping
}

const namesOf = ({ name, versions, alias }: Model): string[] => {
  const numbered = Array.from({ length: versions }, (_, at) => `${name}-v${at + 1}`)
  return [name, ...numbered, ...(alias === undefined ? [] : [alias])]
}

/**
 * The signature (CPUID Fn0000_0001_EAX) of each processor type by the name that QEMU's `-cpu` takes. It is what the
 * VMM shows to the guest, never the signature of the chip underneath.
 * @see QEMU 10.2, target/i386/cpu.c, builtin_x86_defs: family, model, stepping and versions of EPYC models
 * @see AMD 25481, CPUID Specification, Fn0000_0001_EAX: how the signature is made of them
 */
export const VCPU_TYPES: ReadonlyMap<string, number> = new Map(
  MODELS.flatMap((model) => namesOf(model).map((name) => [name, signatureOf(model)] as const)),
)

/**
 * The signature of a type.
 * @throws AttestationError measurement_input_malformed for a name that is not in the table
 */
export const vcpuSignatureOf = (type: string): number => {
  const signature = VCPU_TYPES.get(type)
  if (signature === undefined) {
    throw new AttestationError(
      'measurement_input_malformed',
      `vcpu type is none of ${[...VCPU_TYPES.keys()].join(', ')}`,
    )
  }
  return signature
}
