import { fileURLToPath } from 'node:url'
import { refusedVectors } from './agentvault-vectors/refused-vectors.js'
import { trustedVectors } from './agentvault-vectors/trusted-vectors.js'
import { writeAgentVaultVectors } from './agentvault-vectors/vector.js'

writeAgentVaultVectors(fileURLToPath(new URL('../../verifier/vectors/agentvault', import.meta.url)), [
  ...trustedVectors(),
  ...refusedVectors(),
])
