import { inRepository } from '../demo/paths.js'
import { isAsPromised, playBoundary } from './story.js'

// `make demo-boundary`: the trust boundary between two agents; JSON=1 ends with one line of JSON.

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const nowSeconds = (): number => Math.floor(Date.now() / 1000)
const result = await playBoundary(inRepository('out/demo-boundary'), nowSeconds, say)
if (process.env['JSON'] === '1') say(JSON.stringify(result))
process.exitCode = isAsPromised(result) ? 0 : 1
