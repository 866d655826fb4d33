import type { Duplex } from 'node:stream'

const REASONS = { 403: 'Forbidden', 502: 'Bad Gateway', 503: 'Service Unavailable' } as const

/** Answers a CONNECT request that gets no tunnel, and leaves. */
export const refuseTunnel = (stream: Duplex, status: keyof typeof REASONS): void => {
  stream.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
    () => {
      stream.destroy()
    },
  )
}
