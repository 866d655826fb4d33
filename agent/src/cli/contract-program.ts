import type { Command } from 'commander'
import { type BuildOptions, runBuild } from './contract-build-command.js'
import { type CheckOptions, runCheck } from './contract-check-command.js'
import { type HashOptions, runHash } from './contract-hash-command.js'
import { type ListOptions, runList } from './contract-list-command.js'
import { type NewContractOptions, runNewContract } from './contract-new-command.js'
import { type PublishOptions, runPublish } from './contract-publish-command.js'
import { runShow, type ShowOptions } from './contract-show-command.js'
import type { Io } from './io.js'

const REGISTRY = [
  '--registry <dir>',
  'a registry; default: PARLEY_REGISTRY, or the one that comes with this build',
] as const
const JSON_OUT = ['--json', 'print one JSON document'] as const
const OFFER = ['<offer>', 'an offer of the registry by name or hash, or a contract folder'] as const

/** `parley contract …`: contracts and the registry, all of it offline. */
export const addContract = (program: Command, io: Io, end: (code: number) => void): void => {
  const contract = program.command('contract').description('find, write, build and check contracts, offline')
  addReading(contract, io, end)
  addWriting(contract, io, end)
}

const addReading = (contract: Command, io: Io, end: (code: number) => void): void => {
  contract
    .command('list')
    .description('what the registry offers')
    .option('--all', 'every artefact, not the offers alone')
    .option(...REGISTRY)
    .option(...JSON_OUT)
    .action((options: ListOptions) => {
      end(runList(options, io))
    })
  contract
    .command('show')
    .description('what an offer is about: inputs, codes, disclosure, program')
    .argument(...OFFER)
    .option(...REGISTRY)
    .option(...JSON_OUT)
    .action(async (name: string, options: ShowOptions) => {
      end(await runShow(name, options, io))
    })
  contract
    .command('check')
    .description('whether a relay would admit a contract, and what it can tell; ends with 4 if it would not')
    .argument('<contract>', 'a contract (JSON), an offer of the registry, or a contract folder')
    .option('--guardian <file>', 'the guardian policy (JSON), where the registry does not have it')
    .option(...REGISTRY)
    .option(...JSON_OUT)
    .action(async (path: string, options: CheckOptions) => {
      end(await runCheck(path, options, io))
    })
  contract
    .command('hash')
    .description('the content address of a contract')
    .argument('<file>', 'a contract (JSON)')
    .option('--artefact', 'of any other JSON: a schema, policy, program, profile or offer')
    .option(...JSON_OUT)
    .action(async (path: string, options: HashOptions) => {
      end(await runHash(path, options, io))
    })
}

const addWriting = (contract: Command, io: Io, end: (code: number) => void): void => {
  contract
    .command('new')
    .description('make a folder to write a contract in, from an offer')
    .argument('<name>', 'small letters, digits and hyphens')
    .option('--from <offer>', 'the offer to start from', 'negotiation-band')
    .option('--dir <dir>', 'the folder; default: NAME')
    .option(...REGISTRY)
    .action(async (name: string, options: NewContractOptions) => {
      end(await runNewContract(name, options, io))
    })
  contract
    .command('build')
    .description('build the contract of an offer')
    .argument(...OFFER)
    .option(
      '--participants <names>',
      'names in role order, by commas; default: the roles of the offer',
      names,
    )
    .option('--profile <profile>', 'one of the model profiles that the offer allows; default: its first')
    .option('--allow-deprecated', 'take artefacts that are deprecated')
    .option('--out <file>', 'write the contract there')
    .option(...REGISTRY)
    .action(async (name: string, options: BuildOptions) => {
      end(await runBuild(name, options, io))
    })
  contract
    .command('publish')
    .description('put a written contract into a registry, by its hashes')
    .argument('<folder>', 'a contract folder; its name is the name of the offer')
    .requiredOption('--registry <dir>', 'the registry')
    .option('--rich', 'its outputs hold text, so no policy for codes alone goes with it')
    .action(async (folder: string, options: PublishOptions) => {
      end(await runPublish(folder, options, io))
    })
}

const names = (text: string): readonly string[] => text.split(',')
