import * as lit from './lit.js'
import * as pkijs from './pkijs.js'
import * as tinfoil from './tinfoil.js'

export const peers = [tinfoil, lit, pkijs]
