import { checkInput, compileInputSchema, type InputShape, type ValueCode } from '@parley/guardian'
import type { JsonValue } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import type { Session } from './session.js'

/**
 * Checks an input against what the contract admits of its own side, before anything is consented to: a consent binds,
 * and a relay would refuse the input only after it. A contract without input schemas leaves inputs free.
 * @throws AgentError `input_refused`, which names the member and never its value
 * @see SPEC §6, `input_schemas`
 */
export const checkOwnInput = ({ file }: Session, input: JsonValue): void => {
  const { contract, role } = file.record
  const schema = contract.input_schemas?.[role]
  const compiled = schema === undefined ? undefined : compileInputSchema(schema)
  // What can't be compiled no relay admits, so there is no offer under it.
  if (compiled?.ok !== true) return
  const check = checkInput(compiled.shape, input)
  if (!check.ok) throw new AgentError('input_refused', reason(compiled.shape, check))
}

type Failure = { readonly code: ValueCode; readonly pointer: string }

const reason = (shape: InputShape, { code, pointer }: Failure): string => {
  const where = pointer === '' ? 'the input itself' : `its member ${pointer}`
  return `the contract does not admit this input: ${code}, ${where}${admitted(shape, pointer)}`
}

// A member that is unknown is not named, as its name is input; those that would be known are.
const admitted = ({ root }: InputShape, pointer: string): string =>
  pointer === '' && root.kind === 'object' ? `; its members are ${[...root.members.keys()].join(', ')}` : ''
