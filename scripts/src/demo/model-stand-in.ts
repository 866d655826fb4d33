import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { isJsonArray, isJsonObject, type JsonValue, parseJson } from '@parley/protocol'
import { objectAt, objectOf } from './json-object.js'

// Stands in for a model server: it speaks the API of llama.cpp's, and answers with the first value that each member of
// the asked schema allows, whatever the prompt says. The demo shows the relay's way with a model, not a model.

const server = createServer((request, response) => {
  void answerTo(request).then((body) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  process.stdout.write(`listening on ${String(address.port)}\n`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

async function answerTo(request: IncomingMessage): Promise<string> {
  const asked = objectOf(parseJson(await buffer(request)), 'the request')
  const schema = objectAt(objectAt(objectAt(asked, 'response_format'), 'json_schema'), 'schema')
  const message = { role: 'assistant', content: JSON.stringify(firstOf(schema)) }
  const choice = { index: 0, finish_reason: 'stop', message }
  return JSON.stringify({ object: 'chat.completion', model: 'stand-in', choices: [choice] })
}

function firstOf(schema: JsonValue): JsonValue {
  const { enum: values, properties } = objectOf(schema, 'a schema')
  if (values !== undefined && isJsonArray(values)) return values[0] ?? null
  if (properties === undefined || !isJsonObject(properties)) throw new Error('a schema that is not of codes')
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, firstOf(member)]))
}
