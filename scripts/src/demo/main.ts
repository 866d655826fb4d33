import { playDemo } from './story.js'
import { inRepository } from './paths.js'

// `make demo`: LANE=confidential (default) or software; JSON=1 ends with one line of JSON.

const lane = process.env['LANE'] ?? 'confidential'
if (lane !== 'confidential' && lane !== 'software') throw new Error('LANE is confidential or software')
const json = process.env['JSON'] === '1'

const result = await playDemo(lane, inRepository('out/demo'), (line) => process.stdout.write(`${line}\n`))
process.stdout.write(`The bundles: ${result.bundle_files.join(', ')}\n`)
const good = result.verdicts.every(({ trusted }) => trusted) && !result.proxy_saw_plaintext
if (json) process.stdout.write(`${JSON.stringify(result)}\n`)
process.exitCode = good ? 0 : 1
