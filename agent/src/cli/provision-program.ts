import { type Command, InvalidArgumentError } from 'commander'
import type { Io } from './io.js'
import { type ProvisionOptions, runProvision } from './provision-command.js'
import { GOOGLE_ROOT, ROOT, TPM_ROOT } from './root-options.js'

const KEY_ID = /^(?:0|[1-9]\d{0,2})$/

const parseKeyId = (text: string): number => {
  if (!KEY_ID.test(text) || Number(text) > 255) throw new InvalidArgumentError('a number from 0 to 255')
  return Number(text)
}

/** `parley provision`: a confidential relay's secrets, from its operator's authority. */
export const addProvision = (program: Command, io: Io, end: (code: number) => void): void => {
  program
    .command('provision')
    .description('appraise a relay, and seal all of its secrets to it, in place of those that it has')
    .argument('<url>', 'address of its proxy')
    .requiredOption(
      '--authority <file>',
      'identity (identity.json) that its policy bundle names in provisioning.json',
    )
    .requiredOption(
      '--secrets <file>',
      'keys by provider name (JSON, 0600); those that it does not name are taken back',
    )
    .requiredOption('--policy <file>', 'verifier policy (JSON): what you expect of a relay')
    .option(...ROOT)
    .option(...GOOGLE_ROOT)
    .option(...TPM_ROOT)
    .option('--key-id <number>', 'the replica that holds this key; whichever answers unless said', parseKeyId)
    .option('--json', 'print one JSON document')
    .action(async (url: string, options: ProvisionOptions) => {
      end(await runProvision(url, options, io))
    })
}
