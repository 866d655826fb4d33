import type { Command } from 'commander'
import { type GrantOptions, runGrant } from './consent-grant-command.js'
import { runImport } from './consent-import-command.js'
import { type RevokeOptions, runRevoke } from './consent-revoke-command.js'
import { runShowConsent, type ShowConsentOptions } from './consent-show-command.js'
import type { HomeOption } from './home.js'
import type { Io } from './io.js'
import { parseCount } from './parse-option.js'

const HOME = ['--home <dir>', 'your identity and grants; default: PARLEY_HOME, or ~/.parley'] as const
const JSON_OUT = ['--json', 'print one JSON document'] as const
const ID = 'the id that `grant` printed'
const DAY_SECONDS = 86_400

/** `parley consent …`: what others may use your data for, all of it offline. */
export const addConsent = (program: Command, io: Io, end: (code: number) => void): void => {
  const consent = program
    .command('consent')
    .description('say what your data may be used for, and take it back')
  addGiving(consent, io, end)
  addReceiving(consent, io, end)
}

const addGiving = (consent: Command, io: Io, end: (code: number) => void): void => {
  consent
    .command('grant')
    .description('let somebody use your data for one purpose')
    .requiredOption('--to <did>', 'who may use it')
    .requiredOption('--purpose <purpose>', 'what for; another purpose needs a consent of its own')
    .option('--at <did>', 'who enforces it; default: you')
    .option(
      '--ttl <seconds>',
      'how long it stands, 60 to 2592000 (30 days); 86400 unless said',
      parseCount,
      DAY_SECONDS,
    )
    .option('--uses <n>', 'how often; once unless said', parseCount, 1)
    .option('--contract <hash>', 'under this contract only')
    .option('--out <file>', 'write it there, for whoever enforces it')
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (options: GrantOptions) => {
      end(await runGrant(options, io))
    })
  consent
    .command('revoke')
    .description('take a consent of yours back, for good')
    .argument('<id>', ID)
    .option('--out <file>', 'write the revocation there, for whoever enforces the consent')
    .option(...HOME)
    .action(async (jti: string, options: RevokeOptions) => {
      end(await runRevoke(jti, options, io))
    })
}

const addReceiving = (consent: Command, io: Io, end: (code: number) => void): void => {
  consent
    .command('show')
    .description('the consents that you gave and got, and what each is worth now')
    .argument('[id]', ID)
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (jti: string | undefined, options: ShowConsentOptions) => {
      end(await runShowConsent(jti, options, io))
    })
  consent
    .command('import')
    .description('take a consent that somebody gave for you to enforce, or its revocation')
    .argument('<file>', 'what --out wrote')
    .option(...HOME)
    .action(async (path: string, options: HomeOption) => {
      end(await runImport(path, options, io))
    })
}
