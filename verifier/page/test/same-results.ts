import { judgeFiles, type Judgement } from '../judge-files.js'
import { sortFiles } from '../sort-files.js'
import type { OpenPage, Slots } from './open-page.js'

/** What is made of slots. */
export type Seen = Pick<Judgement, 'text' | 'json'>

/** What Node makes of slots: by the same functions, over node:crypto instead of WebCrypto and noble. */
export const inNode = async ({ subject = [], policy, root = [], now = 0 }: Slots): Promise<Seen> => {
  const sorted = sortFiles(subject)
  if (sorted.subject === null) throw new Error('nothing to judge')
  const judged = await judgeFiles({ subject: sorted.subject, policy: policy ?? null, roots: root, now })
  if ('obstacle' in judged) throw new Error(judged.obstacle)
  const { text, json } = judged
  return { text, json }
}

/** What the page makes of slots. */
export const inPage = async ({ page, fill }: OpenPage, slots: Slots): Promise<Seen> => {
  await fill(slots)
  const read = async (id: string): Promise<string> => (await page.locator(id).textContent()) ?? ''
  return { text: await read('#report'), json: await read('#json') }
}
