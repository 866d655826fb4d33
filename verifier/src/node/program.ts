import { Command } from 'commander'
import { printableLines } from '../printable.js'
import { addAuditCommand } from './audit-command.js'
import { type InspectOptions, type PolicyOptions, runBundle, runEvidence, runInspect } from './commands.js'
import { addCollateralCommand } from './collateral-command.js'
import { addMeasureCommand } from './measure-command.js'
import { addReceiptCommand } from './receipt-command.js'
import type { Io } from './run.js'

const EXIT_CODES = `
Exit codes: 0 trusted, or genuine; 1 usage; 2 evidence not genuine; 3 genuine, but not what was expected, or waived,
or simulated without leave; 4 receipt or bundle does not match; 5 malformed. Of several the most fundamental counts:
5, 2, 4, 3.`

const POLICY = ['--policy <file>', 'verifier policy (JSON)'] as const
const ROOT = [
  '--root <file>',
  'extra root, DER or PEM; counts only with accept_simulated in the policy',
] as const
const GOOGLE_ROOT = [
  '--google-root <file>',
  "Google's root of the keys of its TPMs, DER or PEM; none is built in",
] as const
const TPM_ROOT = [
  '--tpm-root <file>',
  'extra root of TPMs, DER or PEM; counts only with accept_simulated in the policy',
] as const
const NOW = [
  '--now <iso>',
  'the time to judge at, such as when you received the file; default: the clock',
] as const
const RESULTS = [
  ['--ear <file>', 'write an EAT attestation result (EAR) as a signed JWT; needs --key'],
  ['--eat <file>', 'write the evidence as EAT claims, unsigned JSON'],
  ['--cwt <file>', 'write the evidence as EAT claims, a CWT in a COSE_Sign1; needs --key'],
  ['--in-toto <file>', 'write the verdict as an in-toto statement in a DSSE envelope; needs --key'],
  ['--key <file>', 'your own key to sign with: Ed25519 or P-256, PKCS#8 in PEM'],
] as const
const JSON_OUT = ['--json', 'print one JSON document'] as const

/** The command line of `parley-verify`; `end` is told the exit code. Only `collateral fetch` opens a socket. */
export const buildProgram = (io: Io, end: (code: number) => void): Command => {
  const program = new Command('parley-verify')
    .description('Verifies evidence, bundles and receipts of Parley relays, offline.')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: io.out,
      writeErr: (text) => {
        io.err(printableLines(text))
      },
    })
    .exitOverride()
  program
    .command('inspect')
    .description('decode evidence and judge only whether it is genuine; no policy has a part in it')
    .argument(
      '<path>',
      'folder with report.bin and .der or .pem certificates, evidence document, or raw quote',
    )
    .option('--certs <dir>', 'folder with further certificates')
    .option('--root <file>', 'extra root, DER or PEM; what ends there is SIMULATED')
    .option(...NOW)
    .option(...JSON_OUT)
    .action(async (path: string, options: InspectOptions) => {
      end(await runInspect(path, options, io))
    })
  const judging = (command: Command): Command =>
    RESULTS.reduce(
      (each, [flags, says]) => each.option(flags, says),
      command
        .requiredOption(...POLICY)
        .option(...ROOT)
        .option(...GOOGLE_ROOT)
        .option(...TPM_ROOT)
        .option(...NOW)
        .option(...JSON_OUT),
    )
  judging(program.command('evidence'))
    .description("appraise a relay's evidence document by a policy")
    .argument('<path>', 'evidence document')
    .action(async (path: string, options: PolicyOptions) => {
      end(await runEvidence(path, options, io))
    })
  judging(program.command('bundle'))
    .description('verify a bundle (.parley.json) by a policy')
    .argument('<file>', 'bundle')
    .action(async (path: string, options: PolicyOptions) => {
      end(await runBundle(path, options, io))
    })
  addReceiptCommand(program, io, end)
  addAuditCommand(program, io, end)
  addMeasureCommand(program, io, end)
  addCollateralCommand(program, io, end)
  return program
}
