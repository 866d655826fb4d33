import { AttestationError } from '@parley/attestation'
import {
  type Ed25519PublicKey,
  fromUtf8,
  type Lane,
  logOrigin,
  parseCanonicalJson,
  parseKeyset,
} from '@parley/protocol'
import { type Command, Option } from 'commander'
import { auditJson, auditText, type Held, parseHeld, verifyAudit } from '../audit/index.js'
import { asciiJson } from '../printable.js'
import { relayKeys } from '../stages/read-bundle.js'
import { ending } from './ending.js'
import { readBounded } from './read-file.js'
import { readReceiptKey } from './read-receipt-key.js'
import type { Io } from './run.js'

const MAX_BYTES = 4 << 20
const MAX_LOG_BYTES = 256 << 20

type AuditOptions = {
  readonly log?: string
  readonly keyset?: string
  readonly key?: string
  readonly origin?: string
  readonly lane?: Lane
  readonly json?: true
}

/** Adds `audit` to a program. It opens no socket. */
export const addAuditCommand = (program: Command, io: Io, end: (code: number) => void): void => {
  program
    .command('audit')
    .description('check a log and what is held of it: chain, checkpoints, inclusion, growth, and forks')
    .argument('[file...]', 'checkpoints, proofs of `parley audit prove`, and bundles')
    .option('--log <file>', 'the log itself, one record a line')
    .option(
      '--keyset <file>',
      'keyset of the relay, as `parley-relay audit export` wrote it: key, origin, lane',
    )
    .option(
      '--key <file>',
      'key of the log: base64url or hex, or a PEM Ed25519 public key; default: the first bundle’s',
    )
    .option('--origin <name>', 'first line of its checkpoints; default: the first bundle’s')
    .addOption(
      new Option('--lane <lane>', 'default: the first bundle’s').choices(['confidential', 'software']),
    )
    .option('--json', 'print one JSON document')
    .action(async (files: readonly string[], options: AuditOptions) => {
      end(await ending(io, () => runAudit(files, options, io)))
    })
}

const runAudit = async (files: readonly string[], options: AuditOptions, io: Io): Promise<number> => {
  if (files.length === 0 && options.log === undefined)
    throw new AttestationError('argument_invalid', 'nothing to check: give files, --log, or both')
  const held = await Promise.all(
    files.map(async (name) => parseHeld(name, await readBounded(name, MAX_BYTES))),
  )
  const log = options.log === undefined ? null : { name: options.log, lines: await readLines(options.log) }
  const report = verifyAudit({ ...(await termsOf(options, held)), log, held })
  io.out(options.json === true ? asciiJson(auditJson(report)) : auditText(report))
  return report.exit_code
}

type Terms = { readonly key: Ed25519PublicKey; readonly origin: string; readonly lane: Lane }

const termsOf = async (options: AuditOptions, held: readonly Held[]): Promise<Terms> => {
  const relay = await relayOf(options, held)
  const key = options.key === undefined ? relay?.key : await readReceiptKey(options.key)
  const origin = options.origin ?? relay?.origin
  const lane = options.lane ?? relay?.lane
  if (key === undefined || origin === undefined || lane === undefined)
    throw new AttestationError(
      'argument_invalid',
      'without a bundle or --keyset, --key, --origin and --lane are needed',
    )
  return { key, origin, lane }
}

const relayOf = async ({ keyset: path }: AuditOptions, held: readonly Held[]): Promise<Terms | undefined> => {
  const relay =
    path === undefined
      ? held.find((each) => each.relay !== null)?.relay
      : relayKeys(parseKeyset(parseCanonicalJson(await readBounded(path, MAX_BYTES))))
  if (relay === undefined || relay === null) return undefined
  const { keyset, logKey: key } = relay
  return { key, origin: logOrigin(keyset.epoch), lane: keyset.lane }
}

const readLines = async (path: string): Promise<readonly string[]> => {
  const lines = fromUtf8(await readBounded(path, MAX_LOG_BYTES)).split('\n')
  // What stands after the last newline is no line; it is judged all the same.
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
