import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers'
import { type Image, tagOf } from '../build/image.js'
import type { Party, Place } from './place.js'

const DATA = '/var/lib/parley'
const NODE = '/usr/bin/node'
const STAY =
  'process.on("SIGTERM", () => process.exit(0)); setInterval(() => undefined, 1e6); console.log("here")'

/** The containers of a place, beside what any place has. */
export type ContainerPlace = Place & {
  readonly containers: Readonly<Record<'relay' | 'proxy' | 'buyer' | 'seller', StartedTestContainer>>
  /** Addresses that participants have no way to. */
  readonly hidden: { readonly relay: string; readonly proxy: string }
}

/** A container that may write to its data alone, and has no right that its user does not have. */
class ClosedContainer extends GenericContainer {
  readonly #more: string | null

  /**
   * @param aliases its names in the one network
   * @param more another network that it is in, under the same names
   */
  constructor(image: Image['name'], network: string, aliases: readonly string[], more: string | null = null) {
    super(tagOf({ name: image }))
    this.#more = more
    this.hostConfig.ReadonlyRootfs = true
    this.createOpts.NetworkingConfig = { EndpointsConfig: { [network]: { Aliases: [...aliases] } } }
    this.withNetworkMode(network)
      .withDroppedCapabilities('ALL')
      .withSecurityOpt('no-new-privileges')
      .withTmpFs({ [DATA]: 'rw,uid=65532,gid=65532,mode=0700' })
  }

  protected override async containerCreated(id: string): Promise<void> {
    if (this.#more === null) return
    const { network, container } = await getContainerRuntimeClient()
    await container.connectToNetwork(container.getById(id), network.getById(this.#more), ['host-proxy'])
  }
}

/**
 * Relay and host-proxy on one network, participants and host-proxy on another, both without a way out. The proxy's
 * control listener is on the relay's network alone.
 */
export const openContainerPlace = async (): Promise<ContainerPlace> => {
  const closing: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close()
  }
  try {
    return { ...(await started(closing)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const started = async (closing: (() => Promise<unknown>)[]): Promise<Omit<ContainerPlace, 'stop'>> => {
  const [inside, outside] = [await openNetwork('inside', closing), await openNetwork('outside', closing)]
  const start = async (container: GenericContainer, says: RegExp): Promise<StartedTestContainer> => {
    const running = await container.withWaitStrategy(Wait.forLogMessage(says)).start()
    closing.push(() => running.stop({ timeout: 10_000 }))
    return running
  }
  const proxy = await start(
    new ClosedContainer('host-proxy', inside, ['host-proxy-control'], outside),
    /listening on/,
  )
  const relay = await start(new ClosedContainer('relay', inside, ['relay']), /relay_started/)
  const participant = (): Promise<StartedTestContainer> =>
    start(
      new ClosedContainer('agent', outside, [])
        .withEntrypoint([NODE, '-e', STAY])
        .withCommand([])
        .withEnvironment({ PARLEY_HOME: `${DATA}/home` }),
      /here/,
    )
  const [buyer, seller] = [await participant(), await participant()]
  return {
    proxyUrl: 'http://host-proxy:7080',
    buyer: partyIn(buyer),
    seller: partyIn(seller),
    containers: { relay, proxy, buyer, seller },
    hidden: { relay: relay.getIpAddress(inside), proxy: proxy.getIpAddress(inside) },
  }
}

const openNetwork = async (side: string, closing: (() => Promise<unknown>)[]): Promise<string> => {
  const { network } = await getContainerRuntimeClient()
  const name = `parley-${side}-${process.pid}`
  const created = await network.create({ Name: name, Internal: true })
  closing.push(() => network.remove(created))
  return name
}

/** A participant that is a container: each step is a program in it. */
const partyIn = (container: StartedTestContainer): Party => {
  const run = async (...command: string[]) => {
    const { exitCode, stdout, stderr } = await container.exec([NODE, ...command])
    return { code: exitCode, out: stdout, err: stderr }
  }
  return {
    parley: (...args) => run('/app/agent/bin/parley.js', ...args),
    node: (script, ...args) => run('-e', script, ...args),
    at: (name) => `${DATA}/${name}`,
  }
}
