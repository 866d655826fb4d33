import { type Command, Option } from 'commander'
import type { Io } from './io.js'
import { type CheckPolicyOptions, runCheckPolicy } from './policy-check-command.js'
import { type ExplainOptions, runExplainPolicy } from './policy-explain-command.js'
import { readBundleFolder } from '../policy/read-bundle-folder.js'

const JSON_OUT = ['--json', 'print one JSON document'] as const
const REGISTRY = [
  '--registry <dir>',
  'the registry that the bundle pins; default: PARLEY_REGISTRY, or the shipped one',
] as const
const DIR = 'directory of the bundle'

/** `parley policy …`: what a policy bundle is, and why it decides as it does. Opens no socket. */
export const addPolicy = (program: Command, io: Io, end: (code: number) => void): void => {
  const policy = program.command('policy').description('policy bundles: what relay and gate may do')
  policy
    .command('check')
    .description('check every file of a bundle; ends with 5 where one is not what it should be')
    .argument('<dir>', DIR)
    .option(...REGISTRY)
    .option(...JSON_OUT)
    .action((directory: string, options: CheckPolicyOptions) => {
      end(runCheckPolicy(directory, options, io))
    })
  policy
    .command('hash')
    .description('print the digest that receipts and decisions name')
    .argument('<dir>', DIR)
    .action((directory: string) => {
      io.out(`${readBundleFolder(directory).hash}\n`)
      end(0)
    })
  policy
    .command('explain')
    .description(
      'tell how an effect or a contract is decided, and by which rules; ends with 0, whatever it is',
    )
    .argument('<dir>', DIR)
    .argument(
      '<question>',
      'JSON file: principal, action, resource, purpose, classification; and delegation, recipients',
    )
    .option('--contract', 'the file is a contract: tell whether a relay with this bundle admits it')
    .addOption(
      new Option('--profile <name>', 'of that relay')
        .choices(['confidential', 'software', 'embedded'])
        .default('software'),
    )
    .option(...REGISTRY)
    .option(...JSON_OUT)
    .action(async (directory: string, path: string, options: ExplainOptions) => {
      end(await runExplainPolicy(directory, path, options, io))
    })
}
