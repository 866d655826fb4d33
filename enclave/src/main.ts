import { parseCommandLine, USAGE } from './command-line.js'
import { checkEnvironment, checkNodeOptions } from './environment.js'
import { RelayError } from './relay-error.js'
import { reportFailure } from './report-failure.js'

// A static import runs before the first line here, and some of what the relay is built on runs native code as it is
// loaded, from where the environment says. Until that is checked, nothing but these four files may be loaded.
try {
  const command = parseCommandLine(process.argv.slice(2))
  if (command.kind === 'help') process.stdout.write(USAGE)
  else if (command.kind === 'audit-export') {
    const { exportAudit } = await import('./audit/run-export.js')
    for (const folder of await exportAudit(command)) process.stdout.write(`${folder}\n`)
  } else {
    if (command.profile === 'confidential') {
      checkEnvironment(process.env)
      checkNodeOptions(process.execArgv)
    }
    const { runRelay } = await import('./run-relay.js')
    await runRelay(command, process.env)
  }
} catch (error) {
  reportFailure(error instanceof RelayError ? error : null)
}
