import type { JsonValue } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { judgeFiles } from '../../page/judge-files.js'
import type { NamedFile, Subject } from '../../page/sort-files.js'
import { verdictText } from '../../src/index.js'
import { verdictOf } from '../results/result-cases.js'
import { readVector } from '../results/result-vectors.js'

const file = (name: string, bytes: Uint8Array): NamedFile => ({ name, bytes })
const json = (value: JsonValue): NamedFile =>
  file('policy.json', new TextEncoder().encode(JSON.stringify(value)))

const filesOf = (name: string) => {
  const { given } = readVector(name)
  const subject: Subject = { kind: given.procedure, file: file('x', given.bytes) }
  const roots = given.roots.map(({ certificate }) => file('root.der', certificate))
  return { subject, policy: json(given.policy), roots, now: given.now }
}

describe('judgeFiles', () => {
  it('gives the verdict, and its text and JSON as the command line prints them', async () => {
    const verdict = await verdictOf(readVector('bundle-trusted').given)
    expect(await judgeFiles(filesOf('bundle-trusted'))).toMatchObject({
      decision: 'TRUSTED',
      simulated: true,
      exitCode: 0,
      text: verdictText(verdict),
      json: `${JSON.stringify(verdict, null, 2)}\n`,
    })
  })

  it('says who is still trusted, each once, and in order', async () => {
    const judged = await judgeFiles(filesOf('bundle-trusted'))
    if ('obstacle' in judged) throw new Error(judged.obstacle)
    expect(judged.parties.map(({ name }) => name)).toEqual([
      'SIMULATED root',
      'the relay',
      'the participants',
      'your policy',
    ])
    for (const { checks } of judged.parties) expect(new Set(checks).size).toBe(checks.length)
  })

  it.each<[string, string, number]>([
    ['evidence-root-unknown', 'hardware_genuine (root_not_pinned)', 2],
    ['evidence-tcb-too-old', 'hardware_expected (tcb_below_minimum), assurance (assurance_too_low)', 3],
    ['bundle-malformed', 'bundle_form (object_malformed)', 5],
  ])('%s is not trusted, and what failed is a fact: %s', async (name, failed, exitCode) => {
    const judged = await judgeFiles(filesOf(name))
    expect(judged).toMatchObject({ decision: 'NOT TRUSTED', exitCode })
    expect('facts' in judged && judged.facts).toContainEqual(['Failed', failed])
  })

  it('inspects evidence where there is no policy', async () => {
    expect(await judgeFiles({ ...filesOf('evidence-trusted'), policy: null })).toMatchObject({
      decision: 'GENUINE',
      simulated: true,
      text: expect.stringMatching(/^GENUINE SIMULATED, Milan, /) as string,
    })
    expect(await judgeFiles({ ...filesOf('evidence-trusted'), policy: null, roots: [] })).toMatchObject({
      decision: 'NOT GENUINE',
      exitCode: 2,
    })
  })

  it('has nothing to inspect in the software lane', async () => {
    const evidence = JSON.parse(new TextDecoder().decode(readVector('bundle-software').given.bytes)) as {
      evidence: JsonValue
    }
    const subject: Subject = { kind: 'evidence', file: json(evidence.evidence) }
    expect(await judgeFiles({ subject, policy: null, roots: [], now: 0 })).toMatchObject({
      decision: 'NOT GENUINE',
      exitCode: 2,
      parties: [],
    })
  })

  it.each<[string, number, string]>([
    ['shorter than a report', 1183, 'report_malformed'],
    ['with a table that never ends', 1190, 'certificate_table_malformed'],
  ])('finds a raw quote %s malformed', async (_, size, code) => {
    const subject: Subject = {
      kind: 'quote',
      file: file('q.bin', new Uint8Array(size)),
      certificates: [],
      crl: null,
    }
    const judged = await judgeFiles({ subject, policy: null, roots: [], now: 0 })
    expect(judged).toMatchObject({ decision: 'NOT GENUINE', exitCode: 5 })
    expect('json' in judged && JSON.parse(judged.json)).toMatchObject({ code })
  })

  it('takes the CRL that lies beside a report', async () => {
    const crl = file('x.crl', new Uint8Array(4))
    const document = JSON.parse(new TextDecoder().decode(readVector('evidence-trusted').given.bytes)) as {
      binding: { hardware: Record<string, string> }
    }
    const { hardware } = document.binding
    const bytes = (member: string): Uint8Array =>
      new Uint8Array(Buffer.from(hardware[member] ?? '', 'base64url'))
    const certificates = ['leaf_certificate', 'intermediate_certificate', 'root_certificate'].map((member) =>
      file(`${member}.der`, bytes(member)),
    )
    const subject: Subject = { kind: 'report', file: file('report.bin', bytes('report')), certificates, crl }
    const { roots, now } = filesOf('evidence-trusted')
    const judged = await judgeFiles({ subject, policy: null, roots, now })
    expect('json' in judged && JSON.parse(judged.json)).toMatchObject({
      genuine: false,
      code: 'crl_malformed',
    })
  })

  it.each<[string, NamedFile, RegExp]>([
    ['that is no JSON', file('p', new Uint8Array(2)), /^policy_malformed/],
    ['that lacks a member', json({ version: 'parley-policy-v1' }), /^reference_value_missing/],
  ])('does not judge by a policy %s', async (_, policy, obstacle) => {
    expect(await judgeFiles({ ...filesOf('bundle-trusted'), policy })).toEqual({
      obstacle: expect.stringMatching(obstacle) as string,
    })
  })

  it('does not judge a bundle without a policy, under a root that is none, or at no point in time', async () => {
    const files = filesOf('bundle-trusted')
    const root = file('r', new Uint8Array(2))
    for (const changes of [{ policy: null }, { roots: [root] }, { now: Number.NaN }])
      expect(Object.keys(await judgeFiles({ ...files, ...changes }))).toEqual(['obstacle'])
  })
})
