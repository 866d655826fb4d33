import { countedOf, verifyGrant } from '@parley/guardian'
import { parseJson } from '@parley/protocol'
import { GrantFolder } from '../../src/grants/grant-folder.js'

// Uses a grant without end, and says so each time a use was permitted; whoever started it kills it.
const [folder = '', text = '', nowMs = ''] = process.argv.slice(2)
const clock = { nowMs: () => Number(nowMs), sleep: () => Promise.resolve() }
const uses = [countedOf(verifyGrant(parseJson(text)))]
const home = new GrantFolder(folder, clock)
while ((await home.take(uses)) === 'taken') process.stdout.write('used\n')
