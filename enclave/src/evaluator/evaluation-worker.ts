import { parentPort } from 'node:worker_threads'
import { perform, type Task } from './task.js'

// The entry of the evaluation thread. It says once that it is there, then answers each task with its result, and keeps
// nothing of either.
parentPort?.on('message', (task: Task) => parentPort?.postMessage(perform(task)))
parentPort?.postMessage('ready')
