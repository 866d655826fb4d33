import { inRepository } from './paths.js'
import { playDemo } from './story.js'

// `make demo`: LANE=confidential (default) or software; JSON=1 ends with one line of JSON.

const lane = process.env['LANE'] ?? 'confidential'
if (lane !== 'confidential' && lane !== 'software') throw new Error('LANE is confidential or software')

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const { result, controlFound } = await playDemo(lane, inRepository('out/demo'), say)
say(`The bundles: ${result.bundle_files.join(', ')}`)
if (process.env['JSON'] === '1') say(JSON.stringify(result))
const good = controlFound && !result.proxy_saw_plaintext && result.verdicts.every(({ trusted }) => trusted)
process.exitCode = good ? 0 : 1
