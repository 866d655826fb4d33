import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@parley/protocol'
import type { Pair } from './peers.js'

const SHIPPED = new URL('../../../../infra/policy/', import.meta.url)
const ENGINES = {
  engines: [{ id: 'command', locality: 'local', egress: 'external' }],
  allowed_engines: ['command'],
}
export const MAY = '@id("may") permit (principal, action == Action::"tool.invoke", resource is Tool);'
export const MAY_NOT = '@id("may-not") forbid (principal, action == Action::"tool.invoke", resource is Tool);'
export const ASK = `@id("ask") permit (principal, action == Action::"tool.invoke", resource is Tool)
when { context.approved };`

/** Gives the receiver's home rules of its own. */
export const rule = async ({ receiver }: Pair, cedar: string, changes: JsonObject = {}): Promise<string> => {
  const folder = join(receiver.home, 'policy')
  await mkdir(join(folder, 'cedar'), { recursive: true, mode: 0o700 })
  await cp(new URL('cedar/schema.cedarschema', SHIPPED), join(folder, 'cedar/schema.cedarschema'))
  await writeFile(join(folder, 'cedar/own.cedar'), cedar)
  for (const file of ['engines.json', 'residency.json']) {
    const shipped = JSON.parse(await readFile(new URL(file, SHIPPED), 'utf8')) as object
    const change = file === 'engines.json' ? ENGINES : changes
    await writeFile(join(folder, file), JSON.stringify({ ...shipped, ...change }), { mode: 0o600 })
  }
  return folder
}
