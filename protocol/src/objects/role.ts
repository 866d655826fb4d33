import * as v from 'valibot'

/** The roles of a session, in the order in which a contract names its participants and every row stands (SPEC §1). */
export const ROLES = [
  'initiator',
  'responder',
  'participant_3',
  'participant_4',
  'participant_5',
  'participant_6',
  'participant_7',
  'participant_8',
] as const

/** Role of a participant: `initiator` is the contract's first participant, `responder` its second. */
export type Role = (typeof ROLES)[number]

export const role = v.picklist(ROLES)

/** The fewest and the most participants that a contract may name. */
export const FEWEST_PARTICIPANTS = 2
export const MOST_PARTICIPANTS = ROLES.length

/** A value for each role of a session. */
export type ByRole<T> = Readonly<Partial<Record<Role, T>>>

/** The place of a role in every row: 0 for the initiator. */
export function seatOfRole(of: Role): number {
  return ROLES.indexOf(of)
}

/** The roles of a session of so many participants. */
export function rolesOf(participants: number): readonly Role[] {
  return ROLES.slice(0, participants)
}

/** Values that stand in role order, each under its role. */
export function byRoleOf<T>(values: readonly T[]): ByRole<T> {
  const found: Partial<Record<Role, T>> = {}
  for (const [seat, role] of ROLES.entries()) {
    const value = values[seat]
    if (value !== undefined) found[role] = value
  }
  return found
}

const ofParticipants = <Item>(item: v.GenericSchema<Item>) =>
  v.pipe(v.array(item), v.minLength(FEWEST_PARTICIPANTS), v.maxLength(MOST_PARTICIPANTS))

/** One item for each participant. */
export const each = <Item>(item: v.GenericSchema<Item>): v.GenericSchema<Item[]> => ofParticipants(item)

/** One row for each participant, in role order. */
export const rows = <Row extends { readonly role: Role }>(
  row: v.GenericSchema<Row>,
): v.GenericSchema<Row[]> =>
  v.pipe(
    ofParticipants(row),
    v.check((read) => read.every(({ role: found }, seat) => found === ROLES[seat]), 'rows in role order'),
  )

/** An object with a member for each role. */
export const byRole = <Item>(item: v.GenericSchema<Item>): v.GenericSchema<ByRole<Item>> =>
  v.strictObject({
    initiator: item,
    responder: item,
    participant_3: v.exactOptional(item),
    participant_4: v.exactOptional(item),
    participant_5: v.exactOptional(item),
    participant_6: v.exactOptional(item),
    participant_7: v.exactOptional(item),
    participant_8: v.exactOptional(item),
  })
