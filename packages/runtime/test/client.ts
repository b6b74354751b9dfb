import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { request } from 'undici'
import type { RunningService } from '../src/boot-service.js'

export const bearer = { authorization: 'Bearer good' }

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'

/** Sends well-formed requests to a service. */
export class Client {
  service!: RunningService

  async send(method: Method, path: string, options: { headers?: Record<string, string>; body?: string | Buffer } = {}) {
    const { statusCode: status, headers, body } = await request(this.service.url + path, { method, ...options })
    const text = await body.text()
    return { status, headers, text, body: /^[{[]/.test(text) ? (JSON.parse(text) as unknown) : undefined }
  }

  get(path: string) {
    return this.send('GET', path, { headers: bearer })
  }

  post(path: string, body: unknown) {
    return this.send('POST', path, { headers: { ...bearer, 'content-type': 'application/json' }, body: JSON.stringify(body) })
  }
}

/** A bare socket to a service. */
export async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Sends bytes as they are and answers everything that came back until the other side closed. */
export async function raw(url: string, bytes: string | Buffer): Promise<string> {
  const socket = await open(url)
  const answer = received(socket)
  socket.write(bytes)
  return answer
}

/** Everything that comes until the connection is closed. */
export async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  // The other side may reset the connection while we still write.
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {})
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
}
