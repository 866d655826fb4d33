import { join } from 'node:path'
import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { play, type Played, type SetUp, setUp } from './terminal.js'

const KEY = 'sk-ant-the-key-of-the-operator'

const provision = async (
  { relay, policy, homes, file }: SetUp,
  ...more: readonly string[]
): Promise<Played> => {
  const secrets = await file('secrets.json', { claude: KEY })
  chmodSync(secrets, 0o600)
  const authority = join(homes.buyer, 'identity.json')
  const asked = ['--authority', authority, '--secrets', secrets, '--policy', policy]
  return play(['provision', relay.url, ...asked, ...more])
}

describe('parley provision', () => {
  test('asks the replica that it is told to, and seals nothing to a relay of the software lane', async () => {
    const stage = await setUp()
    const said = await provision(stage, '--key-id', '9')
    expect(said).toMatchObject({ code: 3, err: expect.stringContaining('relay_not_trusted') as string })
    expect(stage.relay.outer).toEqual(['/evidence?key_id=9'])
    expect(stage.relay.inner).toEqual([])
    expect(said.out + said.err).not.toContain(KEY)
  })

  test.each(['256', '-1', '01', 'x', ''])('takes no key id %j', async (id) => {
    const stage = await setUp()
    expect(await provision(stage, '--key-id', id)).toMatchObject({ code: 1 })
    expect(stage.relay.outer).toEqual([])
  })

  test.each(['--authority', '--secrets', '--policy'])('needs %s', async (option) => {
    const others = ['--authority', '--secrets', '--policy'].filter((each) => each !== option)
    const said = await play(['provision', 'http://127.0.0.1:1', ...others.flatMap((each) => [each, 'x'])])
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining(option) as string })
  })

  test('takes no authority from a file that others may read', async () => {
    const stage = await setUp()
    chmodSync(join(stage.homes.buyer, 'identity.json'), 0o644)
    expect(await provision(stage)).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('file_not_private') as string },
    })
    expect(stage.relay.outer).toEqual([])
  })
})
