import { createHash } from 'node:crypto'
import { PAGE, writePage } from './build-page.js'

// `make page`: builds the page, and prints where it is and what it is known by.
const page = await writePage()
process.stdout.write(`${PAGE}\nsha256 ${createHash('sha256').update(page).digest('hex')}\n`)
