import { once } from 'node:events'
import WebSocket from 'ws'
import { readEnv } from '../src/env.js'
import { startFaultyStage } from './faulty-stage.js'

describe('WebSockets', () => {
  let stage: Awaited<ReturnType<typeof startFaultyStage>>
  const sockets: WebSocket[] = []
  beforeAll(async () => {
    stage = await startFaultyStage({ SOCKETS_PER_ADDRESS: '3' })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.terminate()
    await stage.stop()
  })

  /** The status of the answer: 101 where it is open. */
  async function open(url: string): Promise<{ status: number; body: string; retryAfter?: string }> {
    const socket = new WebSocket(url.replace('http', 'ws'))
    sockets.push(socket)
    const refused = once(socket, 'unexpected-response').then(async ([, response]) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), retryAfter: response.headers['retry-after'] }
    })
    return Promise.race([refused, once(socket, 'open').then(() => ({ status: 101, body: '' }))])
  }

  it('are limited by client address, whatever project they are of, and free again when one closes', async () => {
    const [first, second] = [await stage.gateway.project(), await stage.gateway.project()]
    expect([(await open(first)).status, (await open(first)).status, (await open(second)).status]).toEqual([101, 101, 101])
    const refused = await open(second)
    expect([refused.status, refused.retryAfter]).toEqual([429, '10'])
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32005, message: 'too many WebSockets are open from this address' } })
    sockets[0]?.terminate()
    while ((await open(first)).status !== 101);
  })
})

it('an owner may set no limit above the usual one, unless the operator grants more', () => {
  const given = {
    NODE_ENV: 'test',
    PORT: '0',
    INTERNAL_PORT: '0',
    PUBLIC_URL: 'http://x.test',
    DATABASE_URL: 'postgres://x/y',
    NATS_URL: 'x',
  }
  const env = readEnv({ ...given, CHAIN: 'eth', UPSTREAMS: 'http://127.0.0.1:1' })
  expect([env.MAX_PER_SECOND, env.MAX_PER_DAY]).toEqual([env.DEFAULT_PER_SECOND, env.DEFAULT_PER_DAY])
  expect(readEnv({ ...given, CHAIN: 'eth', UPSTREAMS: 'http://127.0.0.1:1', MAX_PER_SECOND: '70000' }).MAX_PER_SECOND).toBe(70_000)
})
