// The part of testcontainers that is used here. It is installed apart from the product (package.json beside this file), and
// the type check of the repository goes without it.
declare module 'testcontainers' {
  import type { Readable } from 'node:stream'

  type Ran = { readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  type Network = { readonly id: string }
  type Created = { readonly id: string }

  export type StartedTestContainer = {
    exec(command: string[]): Promise<Ran>
    getIpAddress(network: string): string
    logs(): Promise<Readable>
    stop(options?: { readonly timeout: number }): Promise<unknown>
  }

  export class GenericContainer {
    constructor(image: string)
    protected createOpts: {
      NetworkingConfig?: { EndpointsConfig: Record<string, { Aliases: string[] }> }
    }
    protected hostConfig: { ReadonlyRootfs?: boolean }
    protected containerCreated?(id: string): Promise<void>
    withEntrypoint(entrypoint: string[]): this
    withCommand(command: string[]): this
    withEnvironment(environment: Record<string, string>): this
    withTmpFs(mounts: Record<string, string>): this
    withNetworkMode(network: string): this
    withDroppedCapabilities(...capabilities: string[]): this
    withSecurityOpt(...options: string[]): this
    withWaitStrategy(strategy: unknown): this
    start(): Promise<StartedTestContainer>
  }

  export const Wait: { forLogMessage(message: RegExp): unknown; forOneShotStartup(): unknown }

  export function getContainerRuntimeClient(): Promise<{
    readonly network: {
      create(options: { readonly Name: string; readonly Internal: boolean }): Promise<Network>
      getById(id: string): Network
      remove(network: Network): Promise<void>
    }
    readonly container: {
      getById(id: string): Created
      connectToNetwork(container: Created, network: Network, aliases: string[]): Promise<void>
    }
  }>
}
