import { parseCanonicalJson } from '@parley/protocol'
import { parseDraft } from './parse-draft.js'
import { aborted, type EvaluationJob, guarded, type Release } from './release.js'

/** A model's text, and all that it is judged by, as plain data that another thread can be given. */
export type DraftJob = Pick<EvaluationJob, 'output' | 'policy' | 'inputs'> & { readonly text: string }

/** Judges what a model said: one strict JSON text that schema and policy allow, or nothing. */
export function judge(job: DraftJob): Release {
  try {
    const draft = parseDraft(job.text)
    const inputs = job.inputs.map((bytes) => parseCanonicalJson(bytes))
    return draft === undefined ? aborted('OUTPUT_REFUSED') : guarded(job, inputs, draft.json)
  } catch {
    // Nothing here throws for accepted inputs. If it did, its message would be about one: it ends here.
    return aborted('OUTPUT_REFUSED')
  }
}
