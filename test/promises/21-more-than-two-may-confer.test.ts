import { Participant, type Session } from '@parley/agent'
import { type Bundle, canonicalBytes } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshFolder } from '../harness/cleanup.js'
import { failedChecks, judge } from '../harness/judge.js'
import { LANES } from '../harness/relay.js'
import { newParty } from '../harness/stage.js'
import {
  collectThree,
  consentThree,
  createOfThree,
  FIRST_DAY,
  openStageOfThree,
  partiesOf,
  seatThree,
  sessionAt,
  type StageOfThree,
  submitThree,
} from '../harness/three.js'
import { virtualClock } from '../harness/virtual-clock.js'

const ROLES = ['initiator', 'responder', 'participant_3'] as const
const BRIEF_SECONDS = 90

const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

/** A bundle with what the others opened as well. */
const withInputs = (bundle: Bundle, others: readonly Bundle[]): Bundle => ({
  ...bundle,
  openings: { ...bundle.openings, inputs: others.flatMap(({ openings }) => openings.inputs) },
})

describe.each(LANES)('three who confer in the %s lane', (lane) => {
  let stage: StageOfThree
  let sessions: readonly Session[]
  let bundles: readonly Bundle[]
  beforeAll(async () => {
    stage = await openStageOfThree(lane)
    sessions = await seatThree(stage)
    await consentThree(stage, sessions)
    await submitThree(stage, sessions)
    bundles = await collectThree(stage, sessions, { openInput: true })
  })

  it('each get one receipt, which verifies offline', async () => {
    expect(bundles).toHaveLength(3)
    for (const bundle of bundles) {
      const verdict = await judge(bundle, stage.trust)
      expect(failedChecks(verdict)).toEqual([])
      expect([verdict.trusted, verdict.lane]).toEqual([true, lane])
      expect(bundle.receipt).toEqual(bundles[0]?.receipt)
    }
    expect(bundles[0]?.receipt.outcome).toEqual({ status: 'COMPLETED', abort_class: null })
  })

  it('stand in role order everywhere, each charged once', () => {
    for (const { receipt, transcript, offer, consents } of bundles) {
      for (const rows of [receipt.participants, transcript.participants, offer?.participants, offer?.ledger])
        expect(rows?.map(({ role }) => role)).toEqual(ROLES)
      expect(consents.map((consent) => consent?.role)).toEqual(ROLES)
      expect(receipt.participants.map(({ did }) => did)).toEqual(
        partiesOf(stage).map(({ identity }) => identity.did),
      )
      expect(new Set(receipt.participants.map(({ head_after }) => head_after)).size).toBe(3)
    }
    for (const [at, { openings, receipt }] of bundles.entries()) {
      expect(openings.ledger.map(({ role }) => role)).toEqual([ROLES[at]])
      expect(openings.ledger[0]?.after?.charge_millibits).toBe(receipt.capacity.charge_millibits)
    }
  })

  it('are told what the program says, and the policy’s findings; the narrowed one its part alone', () => {
    const shown = bundles.map(({ openings }) => openings.output)
    const whole = { role: null, output: { agreed: 'YES', day: 'DAY_4' }, findings: ['no_digits'] }
    expect(shown.slice(0, 2)).toMatchObject([whole, whole])
    expect(shown[2]).toMatchObject({ role: 'participant_3', output: { agreed: 'YES' }, findings: [] })
    expect(Object.keys(shown[2]?.output ?? {})).toEqual(['agreed'])
    expect(shown[2]?.salt).not.toBe(shown[0]?.salt)
    const { participants } = bundles[0]?.receipt ?? { participants: [] }
    expect(participants.map(({ narrowed_commitment }) => narrowed_commitment === null)).toEqual([
      true,
      true,
      false,
    ])
  })

  it('the narrowed one’s bundle holds nothing that opens the rest', () => {
    const text = Buffer.from(canonicalBytes(bundles[2] ?? null)).toString()
    expect(text).not.toContain(bundles[0]?.openings.output?.salt ?? 'none')
    expect(text).not.toContain('"day":"DAY_4"')
  })

  it('can have the program run again by whoever is shown all inputs, and by nobody before', async () => {
    for (const bundle of bundles) {
      const alone = await judge(bundle, stage.trust)
      expect(alone.checks.find(({ name }) => name === 'reexecution')).toMatchObject({ result: 'not_run' })
      const all = await judge(withInputs(bundle, bundles), stage.trust)
      expect(all.trusted).toBe(true)
      expect(all.checks.find(({ name }) => name === 'reexecution')).toMatchObject({ result: 'passed' })
    }
  })

  it.each<[string, (honest: Bundle) => Bundle, string]>([
    ['a finding too few', (honest) => withOutput(honest, { findings: [] }), 'output'],
    ['another output', (honest) => withOutput(honest, { output: { agreed: 'YES', day: 'DAY_1' } }), 'output'],
    ['the whole said to be a part', (honest) => withOutput(honest, { role: 'participant_3' }), 'output'],
    ['the whole said to be another’s', (honest) => withOutput(honest, { role: 'participant_8' }), 'output'],
  ])('with %s the bundle is refused', async (_, change, check) => {
    const [honest] = bundles
    if (honest === undefined) throw new Error('no bundle')
    const verdict = await judge(change(honest), stage.trust)
    expect(failedChecks(verdict)).toContain(check)
  })

  it.each([
    ['consent', ({ consents }: Bundle) => ({ consents: consents.slice(0, 2) })],
    ['consent more', ({ consents }: Bundle) => ({ consents: [...consents, null] })],
  ])('a bundle with a row for one %s is malformed', async (_, change) => {
    const [honest] = bundles
    if (honest === undefined) throw new Error('no bundle')
    expect(await judge({ ...honest, ...change(honest) }, stage.trust)).toMatchObject({ exit_code: 5 })
  })
})

const withOutput = (honest: Bundle, change: Partial<NonNullable<Bundle['openings']['output']>>): Bundle => {
  const { output } = honest.openings
  if (output === null) throw new Error('no output')
  return { ...honest, openings: { ...honest.openings, output: { ...output, ...change } } }
}

describe.each(LANES)('a session of three in the %s lane', (lane) => {
  let stage: StageOfThree
  const clock = virtualClock()
  beforeAll(async () => {
    stage = await openStageOfThree(lane, { clock })
  })

  it('is not offered before the last has joined', async () => {
    const { session, invitation } = await createOfThree(stage)
    const second = await stage.seller.join(await stage.begin(stage.seller), invitation)
    expect(await codeOf(stage.buyer.offer(session, 0))).toBe('offer_timeout')
    expect(await codeOf(stage.seller.offer(second, 0))).toBe('offer_timeout')
    const third = await stage.third.join(await stage.begin(stage.third), invitation)
    expect(await codeOf(stage.seller.offer(second, 0))).toBe('accepted')
    expect(await codeOf(stage.third.offer(third, 0))).toBe('accepted')
  })

  it('takes no fourth participant, named or not', async () => {
    const { invitation } = await createOfThree(stage)
    const fourth = newParty()
    const open = { ...invitation, seats: [invitation.seats[0] ?? null, null, null] }
    expect(await codeOf(fourth.join(await stage.begin(fourth), invitation))).toBe('invitation_refused')
    for (const role of ['responder', 'participant_3'] as const)
      expect(await codeOf(fourth.join(await stage.begin(fourth), open, role))).toBe('session_unknown')
    const full = await createOfThree(stage, { invited: [null, null] })
    for (const [who, role] of [
      [stage.seller, 'responder'],
      [stage.third, 'participant_3'],
    ] as const)
      await who.join(await stage.begin(who), full.invitation, role)
    expect(await codeOf(fourth.join(await stage.begin(fourth), full.invitation, 'participant_3'))).toBe(
      'session_unknown',
    )
  })

  it('lets an open seat be asked for by its role, and by one only', async () => {
    const { invitation } = await createOfThree(stage, { invited: [null, null] })
    const fourth = newParty()
    expect(await codeOf(stage.third.join(await stage.begin(stage.third), invitation))).toBe(
      'invitation_refused',
    )
    await stage.third.join(await stage.begin(stage.third), invitation, 'participant_3')
    expect(await codeOf(fourth.join(await stage.begin(fourth), invitation, 'participant_3'))).toBe(
      'role_refused',
    )
    const second = await fourth.join(await stage.begin(fourth), invitation, 'responder')
    expect((await fourth.offer(second, 0)).participants.map(({ did }) => did)).toEqual(
      [stage.buyer, fourth, stage.third].map(({ identity }) => identity.did),
    )
  })

  it('takes one key once, under whatever name', async () => {
    const { identity } = stage.seller
    const alias = identity.did.replace(':agent:', ':service:')
    const aliased = new Participant({ identity: { ...identity, did: alias }, home: freshFolder() })
    for (const invited of [
      [identity.did, identity.did],
      [identity.did, alias],
      [stage.buyer.identity.did, null],
    ])
      expect(await codeOf(createOfThree(stage, { invited }))).toBe('role_refused')
    const { invitation } = await createOfThree(stage, { invited: [null, null] })
    await stage.seller.join(await stage.begin(stage.seller), invitation, 'responder')
    expect(await codeOf(aliased.join(await stage.begin(aliased), invitation, 'participant_3'))).toBe(
      'role_refused',
    )
    const again = new Participant({ identity, home: freshFolder() })
    expect(await codeOf(again.join(await stage.begin(again), invitation, 'participant_3'))).toBe(
      'role_refused',
    )
  })

  it('takes no input before the last has consented', async () => {
    const sessions = await seatThree(stage)
    for (const at of [0, 1]) {
      const party = partiesOf(stage)[at]
      await party?.consent(sessionAt(sessions, at), await party.offer(sessionAt(sessions, at), 0))
    }
    expect(await codeOf(stage.buyer.submit(sessionAt(sessions, 0), { days: [1] }, 0))).toBe('consent_timeout')
  })

  it.each([0, 1, 2])(
    'is cancelled by participant %i after two inputs, with a receipt for all',
    async (by) => {
      const sessions = await seatThree(stage)
      await consentThree(stage, sessions)
      for (const at of [0, 2]) await partiesOf(stage)[at]?.submit(sessionAt(sessions, at), { days: [1] }, 0)
      await partiesOf(stage)[by]?.cancel(sessionAt(sessions, by))
      const bundles = await collectThree(stage, sessions)
      await expectEnd(bundles, 'CANCELLED')
      const { participants } = bundles[0]?.receipt ?? { participants: [] }
      expect(participants.map(({ input_commitment }) => input_commitment === null)).toEqual([
        false,
        true,
        false,
      ])
      expect(bundles[2]?.openings.output).toMatchObject({ role: 'participant_3', output: null })
    },
  )

  it('that one never joins ends EXPIRED, with a receipt that those who did can fetch', async () => {
    const { session, invitation } = await createOfThree(stage, {
      contract: { ...FIRST_DAY, invite_ttl_secs: BRIEF_SECONDS },
    })
    const second = await stage.seller.join(await stage.begin(stage.seller), invitation)
    clock.leap(BRIEF_SECONDS * 1000)
    const wish = { waitMs: 30_000, hardwareWaitMs: 0, openInput: false }
    const bundles = [await stage.buyer.result(session, wish), await stage.seller.result(second, wish)]
    await expectEnd(bundles, 'EXPIRED')
    const { participants, offer_digest } = bundles[0]?.receipt ?? { participants: [], offer_digest: 'none' }
    expect(offer_digest).toBeNull()
    expect(participants.map(({ did }) => did === null)).toEqual([false, false, true])
  })

  it('reserves every charge at the offer, and frees it where the session is not evaluated', async () => {
    // Just one session's charge: 16 outputs and 4 abort classes.
    const budget = { tag: 'one-session', limitMillibits: 4322 }
    const sessions = await seatThree(stage, budget)
    expect(await codeOf(createOfThree(stage, { budget }))).toBe('budget_exhausted')
    await stage.third.cancel(sessionAt(sessions, 2))
    await expectEnd(await collectThree(stage, sessions), 'CANCELLED')
    const again = await seatThree(stage, budget)
    await consentThree(stage, again)
    await submitThree(stage, again)
    expect((await collectThree(stage, again))[2]?.receipt.outcome.status).toBe('COMPLETED')
    expect(await codeOf(createOfThree(stage, { budget }))).toBe('budget_exhausted')
  })

  const expectEnd = async (bundles: readonly Bundle[], abort_class: string): Promise<void> => {
    for (const bundle of bundles) {
      expect(bundle.receipt.outcome).toEqual({ status: 'ABORTED', abort_class })
      expect(bundle.receipt).toEqual(bundles[0]?.receipt)
      expect(await judge(bundle, stage.trust)).toMatchObject({ trusted: true })
    }
  }
})
