import type { Evidence } from '@parley/protocol'
import { type Finding, same, stated } from '../finding.js'

/** A bundle carries the document that the relay made at boot: no caller's nonce is in its leaf (SPEC §15). */
export const checkAtBoot = ({ nonce }: Evidence): Finding =>
  stated('evidence_at_boot', [same(nonce, null, 'evidence_not_at_boot', 'nonce')])
