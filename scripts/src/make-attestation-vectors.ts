import { fileURLToPath } from 'node:url'
import { chainVectors } from './attestation-vectors/chain-vectors.js'
import { crlVectors } from './attestation-vectors/crl-vectors.js'
import { formVectors } from './attestation-vectors/form-vectors.js'
import { genuineVectors } from './attestation-vectors/genuine-vectors.js'
import { makeKit } from './attestation-vectors/kit.js'
import { leafVectors } from './attestation-vectors/leaf-vectors.js'
import { quoteVectors } from './attestation-vectors/quote-vectors.js'
import { reportVectors } from './attestation-vectors/report-vectors.js'
import { writeVectors } from './attestation-vectors/vector.js'

const kit = await makeKit()
const makers = [
  genuineVectors,
  reportVectors,
  leafVectors,
  chainVectors,
  quoteVectors,
  crlVectors,
  formVectors,
]
const vectors = makers.flatMap((make) => make(kit))
writeVectors(fileURLToPath(new URL('../../attestation/vectors/evidence', import.meta.url)), vectors)
