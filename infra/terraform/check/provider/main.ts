import { readFileSync } from 'node:fs'
import type { ProviderSchema } from '../../schema/block.js'
import { grpcServer, type Method } from '../grpc-server.js'
import { schemaMessage } from '../schema-message.js'

// What stands in for hashicorp/google where no registry is: it knows the real provider's schema, accepts what fits it,
// and can make nothing.

const isSchema = (value: unknown): value is ProviderSchema =>
  typeof value === 'object' && value !== null && 'provider' in value && 'resources' in value

const schema: unknown = JSON.parse(readFileSync(new URL('../../schema/google.json', import.meta.url), 'utf8'))
if (!isSchema(schema)) throw new Error('google.json is not what schema/extract.ts writes')
const message = schemaMessage(schema)
const NOTHING = Buffer.alloc(0)
// A DynamicValue in field 1 goes in, the same comes out in field 1.
const echo: Method = (request) => request
const accept: Method = () => NOTHING
const stop: Method = () => {
  setImmediate(() => process.exit(0))
  return NOTHING
}

const server = grpcServer(
  new Map([
    ['/tfplugin5.Provider/GetSchema', () => message],
    ['/tfplugin5.Provider/PrepareProviderConfig', echo],
    ['/tfplugin5.Provider/ValidateResourceTypeConfig', accept],
    ['/tfplugin5.Provider/ValidateDataSourceConfig', accept],
    ['/tfplugin5.Provider/Configure', accept],
    ['/tfplugin5.Provider/Stop', accept],
    ['/plugin.GRPCController/Shutdown', stop],
  ]),
)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  process.stdout.write(`1|5|tcp|127.0.0.1:${address.port}|grpc\n`)
})
