import { statSync } from 'node:fs'
import { printable } from '@parley/verifier/node'
import { EndpointFiles } from '../a2a/endpoint-files.js'
import { OriginFiles } from '../a2a/origin-files.js'
import { checkPublicUrl } from '../a2a/public-url.js'
import { AgentError } from '../agent-error.js'
import { readSoundLog } from '../audit/read-log.js'
import { openA2aDesk } from './a2a-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'

/** The options of `parley doctor`. */
export type DoctorOptions = HomeOption & { readonly publicUrl?: string; readonly json?: true }

/** What was looked at, and what was found. A warning does not fail. */
type Finding = { readonly what: string; readonly state: 'ok' | 'warning' | 'failed'; readonly why: string }

/** `parley doctor`: looks at a home and says what would not work. Ends with 1 if something would not. */
export const runDoctor = async (options: DoctorOptions, io: Io): Promise<number> => {
  const desk = await openA2aDesk(options, io)
  const findings = [
    finding('identity', null),
    finding('instance id', null),
    privacy(desk.paths.folder),
    ...new OriginFiles(desk.paths.origins)
      .list()
      .map(({ id, found }) => finding(`origin ${id}`, reason(found))),
    ...new EndpointFiles(desk.paths.endpoints)
      .list()
      .map(({ id, found }) => finding(`endpoint ${id}`, reason(found))),
    finding('log of what came', chainDefect(desk.paths.receivedLog)),
    finding('log of what went', chainDefect(desk.paths.sentLog)),
    ...(await publicUrl(options, io)),
  ]
  if (options.json === true) printJson(io, { findings })
  else
    for (const { what, state, why } of findings)
      io.out(`${printable(`${state.padEnd(7)} ${what}${why === '' ? '' : `: ${why}`}`)}\n`)
  return findings.some(({ state }) => state === 'failed') ? 1 : 0
}

const finding = (what: string, why: string | null): Finding => ({
  what,
  state: why === null ? 'ok' : 'failed',
  why: why ?? '',
})

const reason = (
  found: { readonly ok: true } | { readonly ok: false; readonly reason: string },
): string | null => (found.ok ? null : found.reason)

const privacy = (folder: string): Finding =>
  finding(
    'folder',
    (statSync(folder).mode & 0o077) === 0 ? null : `${folder} is open to others; chmod 700 it`,
  )

const chainDefect = (path: string): string | null => {
  try {
    readSoundLog(path)
    return null
  } catch (error) {
    if (error instanceof AgentError && error.code === 'state_missing') return null
    if (error instanceof AgentError) return `${error.code}: ${error.message}`
    throw error
  }
}

const publicUrl = async ({ publicUrl: given }: DoctorOptions, io: Io): Promise<readonly Finding[]> => {
  const warnings = await checkPublicUrl(given ?? io.env['PARLEY_A2A_PUBLIC_URL'], { nowMs: io.clock.nowMs() })
  return warnings.map((why) => ({ what: 'public URL', state: 'warning', why }))
}
