import { AttestationError, parseAppraisalPolicy } from '@parley/attestation'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  ProtocolError,
  requireExactNumbers,
} from '@parley/protocol'
import type { Command } from 'commander'
import type { ReportExpectations } from '../agentvault/appraise-report.js'
import type { Artefacts } from '../agentvault/check-artefacts.js'
import { isForeign } from '../agentvault/foreign-receipt.js'
import { verifyAgentVaultReceipt } from '../agentvault/verify-agentvault-receipt.js'
import { parseInstant } from '../parse-instant.js'
import { asciiJson } from '../printable.js'
import { verdictText } from '../verdict-text.js'
import { verifyReceiptFile } from '../verify-receipt.js'
import { readCertificateFiles } from './read-evidence.js'
import { readBounded } from './read-file.js'
import { readReceiptKey } from './read-receipt-key.js'
import type { Io } from './run.js'

const MAX_BYTES = 4 << 20

const ARTEFACTS = {
  contract: 'contract of an AgentVault session',
  schema: 'its output schema',
  program: 'its prompt program',
  policy: 'its enforcement policy',
  profile: 'its model profile',
} as const
type ArtefactOption = keyof typeof ARTEFACTS

type ReceiptOptions = Readonly<
  Partial<Record<ArtefactOption | 'output' | 'hardware' | 'certs' | 'now', string>>
> & {
  readonly key: string
  readonly json?: true
}

/** Adds `receipt` to a program. */
export const addReceiptCommand = (program: Command, io: Io, end: (code: number) => void): void => {
  const command = program
    .command('receipt')
    .description('verify a receipt alone, of Parley or of AgentVault, under a key that you trust')
    .argument('<file>', 'receipt')
    .requiredOption('--key <file>', 'receipt key: base64url or hex, or a PEM Ed25519 public key')
    .option('--json', 'print one JSON document')
  for (const [name, says] of Object.entries(ARTEFACTS))
    command.option(`--${name} <file>`, `${says} (JSON); its hash must be the one in the receipt`)
  command
    .option('--output <file>', 'its output (JSON); its hash must be the one in the receipt')
    .option('--hardware <file>', 'appraisal policy for the SEV-SNP report in an AgentVault receipt')
    .option('--certs <dir>', "folder with AMD's intermediate and root, for --hardware")
    .option('--now <iso>', 'the time to judge that report at; default: the clock')
    .action(async (path: string, options: ReceiptOptions) => {
      end(await runReceipt(path, options, io))
    })
}

const runReceipt = async (path: string, options: ReceiptOptions, io: Io): Promise<number> => {
  const key = await readReceiptKey(options.key)
  const bytes = await readBounded(path, MAX_BYTES)
  const foreign = isForeign(bytes)
  if (!foreign) refuseForeignOptions(options)
  const verdict = foreign
    ? await verifyAgentVaultReceipt({
        bytes,
        key,
        artefacts: await readArtefacts(options),
        ...(options.output === undefined ? {} : { output: await readJson(options.output) }),
        report: await readExpectations(options, io),
      })
    : verifyReceiptFile({ bytes, key })
  io.out(options.json === true ? asciiJson(verdict) : verdictText(verdict))
  return verdict.exit_code
}

// An option without effect would be an expectation that nobody checks.
const refuseForeignOptions = ({ key: _, json: __, ...foreign }: ReceiptOptions): void => {
  const [name] = Object.keys(foreign)
  if (name !== undefined)
    throw new AttestationError(
      'argument_invalid',
      `--${name} is for receipts of AgentVault, which this is not`,
    )
}

const readArtefacts = async (options: ReceiptOptions): Promise<Artefacts> => {
  const artefacts: Partial<Record<ArtefactOption, JsonObject>> = {}
  for (const name of ['contract', 'schema', 'program', 'policy', 'profile'] as const) {
    const path = options[name]
    if (path === undefined) continue
    const value = await readJson(path)
    if (!isJsonObject(value)) throw new AttestationError('argument_invalid', `--${name}: not a JSON object`)
    artefacts[name] = value
  }
  return artefacts
}

const readJson = async (path: string): Promise<JsonValue> => {
  const bytes = await readBounded(path, MAX_BYTES)
  try {
    const value = parseJson(bytes)
    requireExactNumbers(value)
    return value
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new AttestationError('argument_invalid', `${path}: ${error.message}`)
  }
}

const readExpectations = async (
  { hardware, certs, now }: ReceiptOptions,
  io: Io,
): Promise<ReportExpectations | null> => {
  if (hardware === undefined) {
    if (certs === undefined && now === undefined) return null
    throw new AttestationError('argument_invalid', '--certs and --now need --hardware')
  }
  return {
    policy: parseAppraisalPolicy(await readJson(hardware)),
    certificates: certs === undefined ? [] : await readCertificateFiles(certs),
    terms: { now: now === undefined ? io.now : parseInstant(now), roots: [] },
  }
}
