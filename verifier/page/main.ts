import { parseInstant } from '../src/parse-instant.js'
import { droppedFiles } from './dropped-files.js'
import { element } from './element.js'
import { judgeFiles, type Obstacle } from './judge-files.js'
import { showJudgement, showObstacle } from './show-judgement.js'
import { distribute, readSlots } from './slots.js'

const result = element('result', HTMLElement)
const form = element('form', HTMLFormElement)
const folder = element('folder', HTMLInputElement)
const nowField = element('now', HTMLInputElement)
const latest = { run: 0 }

// A verdict on files that are no longer in the slots would be read as one on those that are.
const judge = async (prepare: () => Promise<void>): Promise<void> => {
  const run = ++latest.run
  result.setAttribute('aria-busy', 'true')
  const shown = await prepare()
    .then(judgeSlots)
    .catch((error: unknown) => showObstacle({ obstacle: `The files can't be read: ${String(error)}` }, []))
  if (run !== latest.run) return
  result.replaceChildren(...shown)
  result.setAttribute('aria-busy', 'false')
}

const judgeSlots = async (): Promise<readonly Node[]> => {
  const { subject, policy, roots, tpmRoots, unused } = await readSlots()
  const nowMs = readNow()
  if (typeof nowMs !== 'number') return showObstacle(nowMs, unused)
  if (subject === null) return unused.length === 0 ? [] : showObstacle(NOTHING, unused)
  const judgement = await judgeFiles({ subject, policy, roots, tpmRoots, now: nowMs })
  return 'obstacle' in judgement
    ? showObstacle(judgement, unused)
    : showJudgement(judgement, { name: subject.file.name, nowMs, unused })
}

const NOTHING: Obstacle = { obstacle: 'None of these files is a bundle, an evidence document or a report.' }

const readNow = (): number | Obstacle => {
  const text = nowField.value.trim()
  if (text === '') return Date.now()
  try {
    return parseInstant(text, '“Judged at”')
  } catch (error) {
    return { obstacle: error instanceof Error ? error.message : String(error) }
  }
}

const start = (prepare: () => Promise<void> = () => Promise.resolve()): void => {
  void judge(prepare)
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
})
form.addEventListener('change', ({ target }) => {
  const chosen = target === folder ? Array.from(folder.files ?? []) : []
  start(() => (chosen.length === 0 ? Promise.resolve() : distribute(chosen)))
})
element('clear', HTMLButtonElement).addEventListener('click', () => {
  form.reset()
  start()
})
document.addEventListener('dragover', (event) => {
  event.preventDefault()
  document.body.classList.add('over')
})
document.addEventListener('dragleave', () => {
  document.body.classList.remove('over')
})
document.addEventListener('drop', (event) => {
  event.preventDefault()
  document.body.classList.remove('over')
  const { dataTransfer } = event
  if (dataTransfer === null) return
  const files = droppedFiles(dataTransfer)
  start(async () => distribute(await files))
})
