import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pacing } from '../src/retry.js'
import { createTrestle, type Trestle, type TrestleOptions } from '../src/trestle.js'
import { abortable } from '../src/waiting.js'

export const PROFILE = {
  id: 'user-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11',
  email: 'zoe@example.com',
  displayName: 'Zoë',
  entityType: 'individual',
  verifiedAt: '2026-01-01T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  billingAddress: { country: 'NL', zipCode: '1', address: 'x', state: 'y' },
}

interface Served {
  trestle: Trestle
  /** What was asked, in order. */
  seen: IncomingMessage[]
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A platform of one listener, until the end of the test. */
export async function serving(listener: RequestListener, options: Partial<TrestleOptions> = {}, pacing?: Pacing): Promise<Served> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    listener(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { trestle: createTrestle({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options }, pacing), seen }
}

export function answering(body: unknown, status = 200, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => response.writeHead(status, headers).end(JSON.stringify(body))
}

/** These in turn, the last one for ever. */
export function answeringInTurn(...listeners: [RequestListener, ...RequestListener[]]): RequestListener {
  let count = 0
  return (request, response) => listeners[Math.min(count++, listeners.length - 1)]!(request, response)
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** Waits are written down, and over at once; what is random is as large as can be. */
export function atOnce() {
  const waits: number[] = []
  const pacing: Pacing = { random: () => 0.999_999, sleep: async (ms, signal) => abortable(Promise.resolve(void waits.push(ms)), signal) }
  return { waits, pacing }
}

/** A token of an hour. */
export function jwt(id: number): string {
  const payload = { jti: `ü${id}`, iat: 1_000_000, exp: 1_003_600 }
  return `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.sig`
}
