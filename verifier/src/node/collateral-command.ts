import type { Command } from 'commander'
import { type FetchOptions, runFetch } from './collateral/run-fetch.js'
import { type PackOptions, runPack } from './collateral/run-pack.js'
import { runShow, type ShowOptions } from './collateral/run-show.js'
import { ending } from './ending.js'
import type { Io } from './run.js'

const PATH = 'folder with report.bin and what lies beside it, evidence document, or raw quote'
const CERTS = ['--certs <dir>', 'folder with further certificates and CRLs'] as const
const PRODUCT = [
  '--product <name>',
  'Milan, Genoa or Turin, for a report of version 2 without certificates',
] as const
const ROOT = ['--root <file>', 'extra root, DER or PEM'] as const
const NOW = ['--now <iso>', 'the time to judge at; default: the clock'] as const

const addFetch = (collateral: Command): Command =>
  collateral
    .command('fetch')
    .description("have what a report needs in a folder: from the evidence, from there, or from AMD's KDS")
    .argument('<path>', PATH)
    .requiredOption('--cache <dir>', 'folder that answers of KDS are kept in')
    .option(...CERTS)
    .option('--offline', 'ask nobody: no socket is opened')
    .option('--kds <url>', 'a mirror of KDS, by https, or by http on this machine')
    .option(...PRODUCT)
    .option(...ROOT)
    .option(...NOW)
    .option('--json', 'print one JSON document')

const addShow = (collateral: Command): Command =>
  collateral
    .command('show')
    .description(
      'list certificates, CRLs and other entries: names, dates, keys, pins, TCBs; nothing is verified',
    )
    .argument('<path>', `${PATH}; or any folder of certificates, or one certificate or CRL`)
    .option(...CERTS)
    .option(...NOW)
    .option('--json', 'print one JSON document')

const addPack = (collateral: Command): Command =>
  collateral
    .command('pack')
    .description('write a report with all that it needs, for a verifier that asks nobody')
    .argument('<path>', PATH)
    .requiredOption('--out <path>', 'what to write; nothing that is there is written over')
    .option('--as <form>', 'quote (report and certificate table in one file), or folder', 'quote')
    .option('--cache <dir>', 'folder that answers of KDS are kept in')
    .option('--no-crl', 'pack even where no CRL counts now')
    .option(...CERTS)
    .option(...PRODUCT)
    .option(...ROOT)
    .option(...NOW)

/**
 * Adds `collateral fetch`, `show` and `pack` to a program. Of all commands only `collateral fetch`, without --offline,
 * opens a socket.
 * @param end is told the exit code: 0 complete, or shown · 3 something is missing · 5 malformed
 * @throws AttestationError from the actions, for usage
 */
export const addCollateralCommand = (program: Command, io: Io, end: (code: number) => void): void => {
  const collateral = program.command('collateral').description('certificates and CRLs that a report needs')
  addFetch(collateral).action(async (path: string, options: FetchOptions) => {
    end(await ending(io, () => runFetch(path, options, io)))
  })
  addShow(collateral).action(async (path: string, options: ShowOptions) => {
    end(await ending(io, () => runShow(path, options, io)))
  })
  addPack(collateral).action(async (path: string, options: PackOptions) => {
    end(await ending(io, () => runPack(path, options, io)))
  })
}
