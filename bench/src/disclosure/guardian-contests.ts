import { fileURLToPath } from 'node:url'
import { loadPolicyBundle } from '@parley/enclave'
import {
  capacityOf,
  compileOutputSchema,
  guardDraft,
  type GuardianPolicy,
  parseGuardianPolicy,
} from '@parley/guardian'
import { canonicalBytes, hash, parseJson } from '@parley/protocol'
import { type Contest, inProcess } from '../candidate.js'
import { type SizedSchema, sizedSchemas } from './sized-schema.js'

const POLICY_DIRECTORY = fileURLToPath(new URL('../../../infra/policy', import.meta.url))

function shippedPolicy(): GuardianPolicy {
  const { guardianPolicies, defaultGuardianPolicy } = loadPolicyBundle(POLICY_DIRECTORY, 'software')
  const policy = guardianPolicies.get(defaultGuardianPolicy)
  if (policy === undefined) throw new Error('there is no default policy')
  return parseGuardianPolicy(policy)
}

const floorOver = (bytes: Uint8Array) =>
  inProcess('bare: JSON parsed strictly, JCS hash of the same bytes', () => void hash(parseJson(bytes)))

const counting = ({ name, bytes, shape }: SizedSchema): Contest => ({
  title: `capacity counted, ${name} output schema: ${bytes.length} bytes, 2^${shape.outputs.toString(2).length - 1} outputs`,
  floor: floorOver(bytes),
  rivals: [
    inProcess('parsed, compiled, counted, charged', () => {
      const compiled = compileOutputSchema(parseJson(bytes))
      if (!compiled.ok) throw new Error('a schema is refused')
      capacityOf(compiled.shape.outputs, null, 'cel')
    }),
  ],
})

function guarding({ name, shape, output }: SizedSchema, policy: GuardianPolicy): Contest {
  const bytes = canonicalBytes(output)
  const inputs = [output, output]
  const guard = (draft: typeof output): boolean => guardDraft({ shape, policy, draft, inputs }).ok
  if (!guard(output) || guard({ ...output, other: 1 })) throw new Error('the guardian judges otherwise')
  return {
    title: `guardian, ${name} contract: an output of ${bytes.length} bytes`,
    floor: floorOver(bytes),
    rivals: [inProcess('guardDraft under the shipped policy', () => void guard(output))],
  }
}

/** Capacity counting and guardian by contract size, against what reading and hashing the same bytes takes. */
export function* guardianContests(): Generator<Contest> {
  const policy = shippedPolicy()
  for (const one of sizedSchemas()) {
    yield counting(one)
    yield guarding(one, policy)
  }
}
