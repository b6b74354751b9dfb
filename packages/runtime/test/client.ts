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
export async function openSocket(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Sends raw bytes; resolves to all that is received until the other side closes. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<string> {
  const socket = await openSocket(url)
  const response = readToEnd(socket)
  socket.write(bytes)
  return response
}

/** All that is received until the connection is closed. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  // The other side may reset the connection while we still write.
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {})
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

export function responseStatus(response: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1])
}
