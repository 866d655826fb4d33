import { inRepository } from './paths.js'
import { playDemo } from './story.js'

// `make demo`: LANE=confidential (default) or software; CONTRACT=NAME of an offer; JSON=1 ends with one line of JSON.

const lane = process.env['LANE'] ?? 'confidential'
if (lane !== 'confidential' && lane !== 'software') throw new Error('LANE is confidential or software')

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const { CONTRACT = '' } = process.env
const offer = CONTRACT === '' ? 'negotiation-band' : CONTRACT
const played = await playDemo({ lane, offer, folder: inRepository('out/demo') }, say)
const { result, controlFound, asExpected } = played
say(`The bundles: ${result.bundle_files.join(', ')}`)
if (process.env['JSON'] === '1') say(JSON.stringify(result))
if (!asExpected) say('The output is NOT the one that the registry’s example says.')
const good =
  controlFound && asExpected && !result.proxy_saw_plaintext && result.verdicts.every(({ trusted }) => trusted)
process.exitCode = good ? 0 : 1
