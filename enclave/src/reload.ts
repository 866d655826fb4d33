import type { Log } from './log.js'
import type { PolicyBundle } from './policy-bundle.js'
import type { Relay } from './relay.js'
import { RelayError } from './relay-error.js'
import { createSerial } from './session/serial.js'

type Running = Pick<Relay, 'close'>

const NONE: Running = { close: () => Promise.resolve() }

/** What a policy bundle is read anew with. */
export type ReloadDeps = {
  /** Reads and checks the whole directory. @throws RelayError */
  readonly load: () => PolicyBundle
  /** Starts a relay under a bundle, when the one before it is closed. @throws RelayError */
  readonly start: (bundle: PolicyBundle) => Promise<Running>
  readonly log: Log
}

/** A relay that can be told that its policy directory has changed. */
export type Reloadable = Running & {
  /** Never rejects but where there is no relay any more. */
  readonly reload: () => Promise<void>
}

/**
 * Starts a relay under a bundle, and begins a new epoch when it is told to read the bundle anew: the keyset names the
 * bundle, so another one needs other keys. A directory that is not a whole, sound bundle changes nothing, and one under which
 * no relay starts gives way to the one before it. In the confidential profile the bundle is measured, and stays.
 * @throws RelayError with the code of what failed
 * @see protocol SPEC "Keyset"
 */
export async function startReloadable(first: PolicyBundle, deps: ReloadDeps): Promise<Reloadable> {
  const { load, start, log } = deps
  const serial = createSerial()
  let current = { bundle: first, relay: await start(first) }
  let isClosed = false
  const replaceBy = async (bundle: PolicyBundle): Promise<void> => {
    await current.relay.close()
    current = { ...current, relay: NONE }
    try {
      current = { bundle, relay: await start(bundle) }
      log({ event: 'policy_reloaded', policy_bundle_hash: bundle.hash })
    } catch (error) {
      if (!(error instanceof RelayError)) throw error
      current = { ...current, relay: await start(current.bundle) }
      log({ event: 'policy_kept', because: error.code })
    }
  }
  const reload = async (): Promise<void> => {
    if (isClosed) return
    if (first.profile.name === 'confidential') {
      log({ event: 'policy_kept', because: 'measured' })
      return
    }
    const next = loaded(load)
    if (next instanceof RelayError) log({ event: 'policy_kept', because: next.code })
    else if (next.hash === current.bundle.hash) log({ event: 'policy_kept', because: 'unchanged' })
    else await replaceBy(next)
  }
  return {
    reload: () => serial(reload),
    close: () => {
      isClosed = true
      return serial(() => current.relay.close())
    },
  }
}

function loaded(load: () => PolicyBundle): PolicyBundle | RelayError {
  try {
    return load()
  } catch (error) {
    if (error instanceof RelayError) return error
    throw error
  }
}
