import { canonicalize, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { CHECKPOINT, DIGESTS, EXAMPLES } from './examples.js'
import { windowRefusals } from './window-examples.js'

/** A committed file: path under protocol/vectors/objects and its text. */
export type VectorFile = { readonly path: string; readonly text: string }

type Refused = { readonly name: string; readonly value: JsonValue }

const OTHER_LANE: Readonly<Record<string, string>> = { software: 'confidential', confidential: 'software' }

// What every object must refuse: a member more, a member less, a member of another type, the wrong version or lane.
function refusals(value: JsonObject): Refused[] {
  const members = Object.entries(value)
  const without = (member: string): JsonObject => Object.fromEntries(members.filter(([name]) => name !== member))
  return [
    { name: 'unknown member', value: { ...value, extra: null } },
    { name: 'not an object', value: members.map(([name]) => name) },
    ...members.filter(([name]) => !OPTIONAL.has(name)).map(([name]) => ({ name: `no ${name}`, value: without(name) })),
    ...members
      .filter(([name]) => name !== 'metadata')
      .map(([name, member]) => ({
        name: `${name} of another type`,
        value: { ...value, [name]: typeof member === 'boolean' ? 'yes' : true },
      })),
    ...ROWS.flatMap((name) => rowRefusals(value, name)),
    ...inputSchemaRefusals(value),
    ...windowRefusals(value),
    ...(typeof value['version'] === 'string'
      ? [{ name: 'version 2', value: { ...value, version: value['version'].replace('v1', 'v2') } }]
      : []),
    ...(typeof value['lane'] === 'string' && 'tee' in value
      ? [{ name: 'the other lane', value: { ...value, lane: OTHER_LANE[value['lane']] ?? '' } }]
      : []),
  ]
}

const ROWS = ['participants', 'ledger', 'consents']

// Two to eight participants, and every list of them in role order.
function rowRefusals(value: JsonObject, name: string): Refused[] {
  const rows = value[name]
  if (rows === undefined || !isJsonArray(rows)) return []
  const [first = null] = rows
  const refused = (what: string, list: readonly JsonValue[]): Refused => ({
    name: `${name} ${what}`,
    value: { ...value, [name]: [...list] },
  })
  return [
    refused('of one', [first]),
    refused('of nine', Array.from({ length: 9 }, () => first)),
    refused('with one more', [...rows, first]),
    ...(isJsonObject(first) && name !== 'consents' ? [refused('out of role order', [...rows].reverse())] : []),
  ]
}

// An input schema for each role and for no other.
function inputSchemaRefusals(value: JsonObject): Refused[] {
  const schemas = value['input_schemas']
  if (schemas === undefined || !isJsonObject(schemas)) return []
  const { initiator = {}, ...others } = schemas
  const refused = (what: string, input_schemas: JsonObject): Refused => ({
    name: `input_schemas ${what}`,
    value: { ...value, input_schemas },
  })
  return [
    refused('without the initiator', others),
    refused('of one more role', { ...schemas, participant_3: initiator }),
    refused('of a role past a gap', { ...others, participant_3: initiator }),
    refused('of an unknown role', { ...schemas, observer: initiator }),
  ]
}

// A contract's later members, and those of a ledger with a window, may be absent.
const OPTIONAL = new Set([
  ...['evaluator', 'program', 'program_hash', 'input_schemas', 'entropy_enforcement'],
  ...['window', 'pair', 'pair_limit_millibits'],
])

const SOURCE = `Written by scripts/src/vectors from fixed keys, nonces and times (test values: never use them elsewhere).
value.json is the accepted object in canonical bytes; refused.json lists values that must be refused; expect.json the code
and the digest that the specification defines.
`

function folder(name: string, value: JsonObject): VectorFile[] {
  const expect = { outcome: 'accepted', refused_code: 'object_malformed', digest: DIGESTS[name] ?? null }
  return [
    { path: `${name}/value.json`, text: canonicalize(value) },
    { path: `${name}/refused.json`, text: `${lines(refusals(value))}\n` },
    { path: `${name}/expect.json`, text: `${JSON.stringify(expect, null, 2)}\n` },
    { path: `${name}/SOURCE.md`, text: SOURCE },
  ]
}

function lines(rows: readonly Refused[]): string {
  return `[\n${rows.map((row) => canonicalize(row)).join(',\n')}\n]`
}

/** Every committed file of the object vectors. */
export function objectVectors(): VectorFile[] {
  return [
    ...Object.entries(EXAMPLES).flatMap(([name, value]) => folder(name, value)),
    { path: 'digests.json', text: `${JSON.stringify(DIGESTS, null, 2)}\n` },
    { path: 'checkpoint.txt', text: CHECKPOINT },
  ]
}

const EXAMPLE = /<!-- vector: ([a-z-]+) -->(?:\n\n```(?:json|text)\n[\s\S]*?\n```)?/g

// The bundle holds all other objects; its example shows where they stand.
function example(name: string): string {
  if (name === 'checkpoint') return `\`\`\`text\n${CHECKPOINT}\`\`\``
  const value = Object.entries(EXAMPLES).find(([each]) => each === name)?.[1]
  if (value === undefined) throw new Error(`no vector is called ${name}`)
  return `\`\`\`json\n${JSON.stringify(name === 'bundle' ? outlineOf(value) : value, null, 2)}\n\`\`\``
}

function outlineOf(bundle: JsonObject): JsonObject {
  return {
    ...bundle,
    receipt: 'the object of §14',
    contract: 'the object of §6',
    offer: 'the object of §9',
    consents: ['the object of §9, of the initiator', 'and of the responder'],
    transcript: 'the object of §12',
    openings: {
      output: EXAMPLES.bundle.openings.output,
      inputs: EXAMPLES.bundle.openings.inputs,
      ledger: [{ role: 'initiator', before: 'the object of §11', after: 'the object of §11' }],
      audit: { entry: 'the object of §13', salt: EXAMPLES.bundle.openings.audit?.salt ?? '' },
    },
    evidence: 'the object of §8',
    hardware_path: { status: 'present', binding: 'a binding of §8' },
  }
}

/** The specification with its examples written again. */
export function withExamples(spec: string): string {
  return spec.replace(EXAMPLE, (_, name: string) => `<!-- vector: ${name} -->\n\n${example(name)}`)
}
