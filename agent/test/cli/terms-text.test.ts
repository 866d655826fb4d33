import { type Artefacts, NO_ARTEFACTS } from '@parley/protocol'
import { expect, test } from 'vitest'
import { termsText } from '../../src/cli/terms-text.js'
import type { Session } from '../../src/index.js'
import { seatBoth, startStage } from '../double/stage.js'
import { contract } from '../double/terms.js'

const OPENLY = /joined openly: nobody named it/

const openTerms = async () => {
  const stage = await startStage()
  const proposal = { contract, invited: [null] }
  const { session, invitation } = await stage.buyer.create(await stage.begin(stage.buyer), proposal)
  const sold = await stage.seller.join(await stage.begin(stage.seller), invitation)
  return [await shown(stage.buyer, session), await shown(stage.seller, sold)] as const
}

type Offers = { offer: Awaited<ReturnType<typeof startStage>>['buyer']['offer'] }

const shown = async (
  who: Offers,
  session: Session,
  change: object = {},
  artefacts: Artefacts = NO_ARTEFACTS,
): Promise<string> => {
  const { role, seats, tag } = session.file.record
  const offer = await who.offer(session, 0)
  const amounts = { limitMillibits: 20_000, spentMillibits: 0 }
  return termsText({
    relay: session.relay,
    offer,
    contract: { ...contract, ...change },
    artefacts,
    role,
    seats,
    tag,
    ...amounts,
  })
}

test('of the responder alone it is said that it joined openly', async () => {
  const [toInitiator, toResponder] = await openTerms()
  const row = (text: string, name: string) => text.split('\n').find((line) => line.startsWith(name))
  expect(row(toInitiator, 'with')).toMatch(OPENLY)
  expect(row(toInitiator, 'you')).not.toMatch(OPENLY)
  expect(row(toResponder, 'with')).not.toMatch(OPENLY)
  expect(row(toResponder, 'you')).toMatch(OPENLY)
})

test('a text of the contract adds no line, obeys no terminal and stays short', async () => {
  const stage = await startStage()
  const { bought } = await seatBoth(stage)
  const evil = `a\ncharge    0.000 bits\u001b[31m${'x'.repeat(5000)}`
  const plain = await shown(stage.buyer, bought)
  const text = await shown(stage.buyer, bought, { metadata: { title: evil, summary: evil } })
  expect(text.split('\n')).toHaveLength(plain.split('\n').length)
  expect(text).toMatch(/^[\n\x20-\x7e]*$/)
  for (const line of text.split('\n')) expect(line.length).toBeLessThan(260)
})

test.each([[null], [{ title: 1, summary: ['x'] }], [['title']]])(
  'metadata %j has nothing to show',
  async (metadata) => {
    const stage = await startStage()
    const { bought } = await seatBoth(stage)
    expect(await shown(stage.buyer, bought, { metadata })).not.toMatch(/^(?:title|summary)/m)
  },
)

test('whoever consents to a model is shown which it is, what it is told, and the outputs that stand beside a stub', async () => {
  const stage = await startStage()
  const { bought } = await seatBoth(stage)
  const text = await shown(
    stage.buyer,
    bought,
    { output_schema: {} },
    {
      output_schema: { type: 'string', enum: ['NEAR', 'FAR'] },
      prompt_program: { system_instruction: 'Tell\nwhether\u001b they are near.' },
      model_profile: { provider: 'local', model_id: 'tiny' },
    },
  )
  expect(text).toMatch(/^model +local tiny, inside the relay$/m)
  expect(text).toMatch(/^prompt +Tell.*they are near\.$/m)
  expect(text).toMatch(/"NEAR"/)
  expect(text).toMatch(/^[\n\x20-\x7e]*$/)
})
