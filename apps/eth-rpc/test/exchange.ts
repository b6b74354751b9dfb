import { once } from 'node:events'
import { WebSocket } from 'ws'
import { eventually } from './management.js'

export interface Exchanged {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export const JSON_TYPE = { 'content-type': 'application/json' }

export async function post(url: string, body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Promise<Exchanged> {
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** A WebSocket, and all that has been said over it. */
export async function connect(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers })
  const heard: string[] = []
  socket.on('message', (data) => heard.push(String(data)))
  const closed = once(socket, 'close').then(([code]) => code as number)
  await once(socket, 'open')
  return {
    heard,
    /** The code it was closed with. */
    closed,
    send: (message: string | Buffer) => socket.send(message, { binary: false }),
    /** Says something, and answers with the messages that come, once there are so many. */
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
    async ask(message: string, count = 1): Promise<any[]> {
      const before = heard.length
      socket.send(message)
      await eventually(() => heard.length >= before + count || undefined, `${count} messages come`)
      return heard.slice(before).map((text) => JSON.parse(text))
    },
    close: () => socket.close(),
  }
}

// What is said behind a message, to know that nothing comes for it.
const END = '{"jsonrpc":"2.0","id":"the end","method":"web3_sha3","params":["0x"]}'

/** All that is answered to one message over a WebSocket, where so many answers are due. */
export async function tell(url: string, message: string | Buffer, count: number): Promise<string[]> {
  const socket = await connect(url)
  socket.send(message)
  socket.send(END)
  await eventually(() => socket.heard.length > count || undefined, `${count} answers come`)
  socket.close()
  return socket.heard.filter((text) => !text.includes('"the end"'))
}

/** The JSON of a call. */
export function callOf(method: string, params: unknown = [], id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}
