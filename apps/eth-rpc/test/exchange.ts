import { once } from 'node:events'
import { eventually } from '@trestle/testing/eventually'
import { WebSocket } from 'ws'

/** An answer, byte for byte. */
export interface PostedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const JSON_TYPE = { 'content-type': 'application/json' }

export async function postCall(url: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<PostedAnswer> {
  const answer = await fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

// What is said behind a message, to know that nothing comes for it.
const END = '{"jsonrpc":"2.0","id":"the end","method":"web3_sha3","params":["0x"]}'

/** All that is answered to one message over a WebSocket, where so many answers are due. */
export async function tell(url: string, message: string | Buffer, count: number): Promise<string[]> {
  const socket = new WebSocket(url.replace('http', 'ws'))
  const received: string[] = []
  socket.on('message', (data) => received.push(String(data)))
  await once(socket, 'open')
  socket.send(message)
  socket.send(END)
  await eventually(() => received.length > count || undefined, `${count} answers come`)
  socket.close()
  return received.filter((text) => !text.includes('"the end"'))
}

/** The JSON of a call. */
export function callOf(method: string, params?: unknown, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}
