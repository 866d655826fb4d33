import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'

/** Answers one call: the request's message in, the response's message out. */
export type Method = (request: Buffer) => Buffer

const PREFIX_BYTES = 5
const UNIMPLEMENTED = '12'

/** Unary gRPC over HTTP/2 without TLS, and no more of it than Terraform asks of a provider. */
export const grpcServer = (methods: ReadonlyMap<string, Method>): Http2Server => {
  const server = createServer()
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = []
    stream.on('error', () => {
      stream.close()
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const method = methods.get(String(headers[':path']))
      if (method === undefined) answer(stream, undefined)
      else answer(stream, method(Buffer.concat(chunks).subarray(PREFIX_BYTES)))
    })
  })
  return server
}

const answer = (stream: ServerHttp2Stream, message: Buffer | undefined): void => {
  if (stream.destroyed) return
  const headers = { ':status': 200, 'content-type': 'application/grpc' }
  if (message === undefined) {
    stream.respond({ ...headers, 'grpc-status': UNIMPLEMENTED }, { endStream: true })
    return
  }
  stream.respond(headers, { waitForTrailers: true })
  stream.on('wantTrailers', () => {
    stream.sendTrailers({ 'grpc-status': '0' })
  })
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(message.length, 1)
  stream.end(Buffer.concat([prefix, message]))
}
