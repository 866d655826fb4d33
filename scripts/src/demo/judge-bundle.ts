import { join } from 'node:path'
import { isJsonArray, isJsonObject, parseJson } from '@parley/protocol'
import type { DemoRelay } from './demo-relay.js'
import { objectOf, textAt } from './json-object.js'
import { type Party, runCommand } from './party.js'

/** What `parley-verify` said of one participant's bundle. */
export type Judged = {
  readonly participant: string
  readonly trusted: boolean
  readonly simulated: boolean
  /** Names of the checks that failed. */
  readonly failed: readonly string[]
  readonly level: string | null
  /** The verdict in words. */
  readonly text: string
}

/** Runs `parley-verify bundle` twice, for the words and for the JSON. */
export async function judgeBundle(
  party: Party,
  bundle: string,
  { rootFile }: Pick<DemoRelay, 'rootFile'>,
): Promise<Judged> {
  const root = rootFile === null ? [] : ['--root', rootFile]
  const args = ['bundle', bundle, '--policy', join(party.home, 'policy.json'), ...root]
  const text = await runCommand('verifier/bin/parley-verify.js', args)
  const json = await runCommand('verifier/bin/parley-verify.js', [...args, '--json'])
  const verdict = objectOf(parseJson(json), 'the verdict')
  const listed = verdict['checks'] ?? null
  const checks = isJsonArray(listed) ? listed.filter((each) => isJsonObject(each)) : []
  if (checks.length === 0) throw new Error('the verdict has no checks')
  return {
    participant: party.name,
    trusted: verdict['trusted'] === true,
    simulated: verdict['simulated'] === true,
    failed: checks.filter(({ result }) => result === 'failed').map((check) => textAt(check, 'name')),
    level: typeof verdict['assurance_level'] === 'string' ? verdict['assurance_level'] : null,
    text,
  }
}
