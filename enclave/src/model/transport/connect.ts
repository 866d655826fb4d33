import { connect as connectTcp, type Socket } from 'node:net'

/** A host and a port. */
export type HostPort = { readonly host: string; readonly port: number }

/**
 * The one door from the relay to other machines: a TCP stream to a host, by whatever way.
 * Rejects where there is none; an aborted signal destroys the stream, also after it was handed over.
 */
export type Connect = (to: HostPort, signal: AbortSignal) => Promise<Socket>

/** The way of the software lane: straight there. */
export const connectDirectly: Connect = (to, signal) =>
  new Promise((resolve, reject) => {
    // An abort before the first tick emits an error all the same.
    const socket = connectTcp({ ...to, signal })
    socket.once('error', reject)
    socket.once('connect', () => {
      resolve(socket)
    })
  })
