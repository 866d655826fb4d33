import { PROXY_ADDRESS } from './machine.js'

/** What the host tells the machine: where to listen and where the host-proxy is. */
export const relayAttribute = (relayPort: number): object => ({
  listen: { host: '0.0.0.0', port: 7090 },
  proxy: `http://${PROXY_ADDRESS}:7081`,
  advertise_url: `http://127.0.0.1:${relayPort}`,
})
