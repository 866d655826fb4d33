import { parentPort } from 'node:worker_threads'
import { type EvaluationJob, evaluate } from '../release/release.js'

// The entry of the evaluation thread. It says once that it is there, then answers each job with its release, and
// keeps nothing of either.
parentPort?.on('message', (job: EvaluationJob) => parentPort?.postMessage(evaluate(job)))
parentPort?.postMessage('ready')
