import { randomUUID } from 'node:crypto'
import { canonicalize } from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from '../agent-error.js'
import type { Identity } from '../identity.js'
import { createPrivateFile } from '../private-file.js'
import { readState } from '../read-state.js'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A UUIDv4 in small letters. */
export const uuid = v.pipe(v.string(), v.regex(UUID_V4))

const file = v.strictObject({ version: v.literal('parley-instance-v1'), instance_id: uuid })

/** Who an instance is to its peers, with nothing secret in it: the key that it signs with, and its persistent id. */
export const instanceCard = v.strictObject({
  version: v.literal('parley-instance-v1'),
  did: v.pipe(v.string(), v.maxLength(256)),
  instance_id: uuid,
})

/** What {@link instanceCard} reads. */
export type InstanceCard = v.InferOutput<typeof instanceCard>

/**
 * The id of this instance, drawn when it is first asked for and the same ever after.
 * @throws AgentError `file_not_private`, `state_malformed`, `file_unusable`
 */
export const ownInstanceId = async (path: string): Promise<string> => {
  try {
    return read(path)
  } catch (error) {
    if (!isCode(error, 'state_missing')) throw error
  }
  try {
    await createPrivateFile(path, canonicalize({ version: 'parley-instance-v1', instance_id: randomUUID() }))
  } catch (error) {
    // Somebody of this home was quicker: that one's id is the id.
    if (!isCode(error, 'state_exists')) throw error
  }
  return read(path)
}

/** The card of an identity's instance. */
export const cardOf = ({ did }: Pick<Identity, 'did'>, instance_id: string): InstanceCard => ({
  version: 'parley-instance-v1',
  did,
  instance_id,
})

const read = (path: string): string => readState(path, file, ({ instance_id }) => instance_id)

const isCode = (error: unknown, code: AgentError['code']): boolean =>
  error instanceof AgentError && error.code === code
