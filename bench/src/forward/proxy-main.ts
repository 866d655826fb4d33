import { DEFAULT_LIMITS, type OpenLog, openLog, startProxy } from '@parley/host-proxy'
import { serveForwarder } from './serve-forwarder.js'

// The host-proxy as `parley-proxy` runs it, with bounds that a bench does not reach; its log in a file, if one is named.

const [path] = process.argv.slice(2)
const nowhere: OpenLog = { log: () => undefined, close: () => Promise.resolve() }
const { log, close } = path === undefined ? nowhere : openLog(path)
const free = { host: '127.0.0.1', port: 0 }
const limits = { ...DEFAULT_LIMITS, burst: 1_000_000_000, requests_per_second: 1_000_000_000 }
const proxy = await startProxy({ listen: free, control: free, limits }, { log })
serveForwarder({
  url: proxy.url,
  controlUrl: proxy.controlUrl,
  stop: async () => {
    await proxy.stop()
    await close()
  },
})
