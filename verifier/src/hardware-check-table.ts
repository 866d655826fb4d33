/** What a step behind the checks on hardware says, and what it was compared with. */
export type HardwareRow = { readonly says: string; readonly against: string }

const row = (says: string, against: string): HardwareRow => ({ says, against })

const expected = (says: string, member: string): HardwareRow => row(says, `your policy's hardware.${member}`)

// The steps of `attestation`, by its names.
const ROWS: Readonly<Record<string, HardwareRow>> = {
  report_format: row('every byte of the report has a meaning', 'the layout of its version'),
  certificate_format: row('strict DER, each certificate well formed', 'RFC 5280'),
  leaf_kind: row('the leaf is of the kind of key that the report names', "the report's SIGNING_KEY"),
  product: row('report, leaf and issuer name one product line', "the intermediate's name"),
  root: row('the root is a known one', 'the pins, or your extra root'),
  chain: row('root, intermediate and leaf signed one another', 'the root'),
  validity: row('each certificate of the chain is valid', 'the time of judging'),
  report_signature: row('the leaf signed the report', "the leaf's key"),
  leaf_tcb: row('the leaf was derived for the reported TCB', "the leaf's extensions"),
  leaf_chip_id: row('the leaf is of this chip', "the leaf's hwID"),
  revocation: row('no certificate of the chain is revoked', "the root's signed CRL"),
  report_data: row('the report was made over this keyset and tree', 'REPORT_DATA, computed here'),
  asked_by_guest: row('the guest asked for the report, not the host', 'VMPL'),
  products: expected('an expected product line', 'products'),
  report_versions: expected('an expected version of reports', 'report_versions'),
  signing_keys: expected('an expected kind of key signed', 'signing_keys'),
  csp_id: expected('a VLEK is of an expected provider', 'csp_id'),
  measurement: expected('an expected launch measurement', 'measurement'),
  guest_policy: expected('the guest was launched under expected terms', 'guest_policy'),
  debug: expected('the host may not debug the guest', 'guest_policy.debug'),
  guest_svn_minimum: expected('the guest is no older than expected', 'guest_svn_minimum'),
  tcb_minimum: expected('no part of the reported TCB is too old', 'tcb_minimum'),
  committed_tcb_minimum: expected('no part of the committed TCB is too old', 'committed_tcb_minimum'),
  current_tcb_minimum: expected('no part of the current TCB is too old', 'current_tcb_minimum'),
  launch_tcb_minimum: expected('no part of the TCB at launch was too old', 'launch_tcb_minimum'),
  tcb_order: expected('the TCBs stand in the expected order', 'tcb_order'),
  tcb_floor_list: expected('no part of the reported TCB is below a published floor', 'tcb_floor_list'),
  current_version_minimum: expected(
    'the running firmware is no older than expected',
    'current_version_minimum',
  ),
  committed_version_minimum: expected(
    'the committed firmware is no older than expected',
    'committed_version_minimum',
  ),
  committed_equals_current: expected("the host can't go back to older firmware", 'committed_equals_current'),
  mitigations: expected('the expected mitigations are in place', 'mitigations'),
  vmpl: expected('an expected privilege level asked', 'vmpl'),
  platform_info: expected('the platform is set up as expected', 'platform_info'),
  chip_id: expected('an expected chip', 'chip_id'),
  chip_id_denied: expected('not a chip that is denied', 'chip_id_denied'),
  host_data: expected('expected data of the host', 'host_data'),
  family_id: expected('an expected family', 'family_id'),
  image_id: expected('an expected image', 'image_id'),
  report_id: expected('an expected guest', 'report_id'),
  report_id_ma: expected('an expected migration agent', 'report_id_ma'),
  leaf_age: expected('the leaf was issued lately enough', 'leaf_age'),
  crl: expected('a CRL is there and new enough', 'crl'),
  id_key_digest: expected('an expected key signed the ID block', 'id_key_digest'),
  author_key_digest: expected('an expected author certified that key', 'author_key_digest'),
  id_block: expected('the guest was launched with an expected ID block', 'id_block'),
  boot_format: row('every part of the boot evidence is well formed', 'SPEC 28'),
  boot_key: row(
    "the TPM's key is the one that the keyset names, and signs nothing else",
    "the keyset's boot_ak",
  ),
  boot_quote: row('that key signed the quote', "the TPM's key"),
  boot_qualifying_data: row('the quote was made beside this report, for this keyset', 'computed here'),
  boot_log: row('the event log leads to the quoted registers', "the quote's digest"),
  boot_root: row("a known root certifies the TPM's key", 'your root of TPMs'),
  boot_events: row('each measurement of the boot is accounted for', 'SPEC 28'),
  boot_pcrs: row('the expected registers are quoted, with expected values', "your policy's boot.pcrs"),
  boot_secure_boot: row('Secure Boot was on', "your policy's boot.secure_boot"),
  boot_uki: row('an expected kernel image was booted', "your policy's boot.uki"),
  boot_command_line: row('with an expected command line', "your policy's boot.command_line"),
}

/** The row of a step; one without a row is an expectation of the policy by its own name. */
export const hardwareRow = (name: string): HardwareRow => ROWS[name] ?? expected('as expected', name)
