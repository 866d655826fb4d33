import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ClientRequest, IncomingMessage } from 'node:http'

/** One exchange that was made: how many bytes were posted, and how many came back. */
export type Exchange = { readonly bodyBytes: number; readonly answerBytes: number }

const ANSWERED = 'http.client.response.finish'

const isAnswered = (
  message: unknown,
): message is { readonly request: ClientRequest; readonly response: IncomingMessage } =>
  message instanceof Object &&
  'request' in message &&
  message.request instanceof ClientRequest &&
  'response' in message &&
  message.response instanceof IncomingMessage

const sizeOf = (header: unknown): number => {
  const size = Number(header)
  if (!Number.isInteger(size)) throw new Error('an exchange of unknown size')
  return size
}

/** Records what is asked over node:http, by whatever module of this process, while something runs. */
export async function recordExchanges(run: () => Promise<void>): Promise<readonly Exchange[]> {
  const answered: { readonly request: ClientRequest; readonly response: IncomingMessage }[] = []
  const record = (message: unknown): void => {
    if (isAnswered(message)) answered.push(message)
  }
  subscribe(ANSWERED, record)
  try {
    await run()
  } finally {
    unsubscribe(ANSWERED, record)
  }
  return answered.map(({ request, response }) => ({
    bodyBytes: sizeOf(request.getHeader('content-length')),
    answerBytes: sizeOf(response.headers['content-length']),
  }))
}
