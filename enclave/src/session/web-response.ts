import type { HeaderField } from '@parley/protocol'
import type { SizedResponse } from './answer.js'

// Inside the process only: a Response of the fetch API has no place for the size class.
const SIZE_CLASS = 'x-size-class'

/** A sized response as Hono's handlers return it. */
export function toWebResponse({ status, headers, content, padTo }: SizedResponse): Response {
  const fields = [...headers, [SIZE_CLASS, String(padTo)] as const].map(([name, value]): [string, string] => [
    name,
    value,
  ])
  return new Response(content.slice(), { status, headers: fields })
}

/** The sized response that a handler returned. */
export async function fromWebResponse(response: Response): Promise<SizedResponse> {
  const fields = [...response.headers].map(([name, value]): HeaderField => [name, value])
  return {
    status: response.status,
    headers: fields.filter(([name]) => name !== SIZE_CLASS),
    content: new Uint8Array(await response.arrayBuffer()),
    padTo: Number(response.headers.get(SIZE_CLASS)),
  }
}
