import { once } from 'node:events'
import WebSocket from 'ws'
import { readEnv } from '../src/env.js'
import { startFaultyStage } from './faulty-stage.js'

describe('WebSockets', () => {
  let stage: Awaited<ReturnType<typeof startFaultyStage>>
  const sockets: WebSocket[] = []
  beforeAll(async () => {
    stage = await startFaultyStage({ SOCKETS_PER_ADDRESS: '3', TRUSTED_PROXIES: '127.0.0.1/32' })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.terminate()
    await stage.stop()
  })

  /** The status of the answer: 101 where it is open. */
  async function open(url: string, from?: string): Promise<{ status: number; body: string; retryAfter?: string }> {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers: from === undefined ? {} : { 'x-forwarded-for': from } })
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

  it('are limited by the address that a trusted proxy names, by /64 for IPv6, and not by what a client claims', async () => {
    const url = await stage.gateway.project()
    const statuses = async (...from: string[]) => {
      const all: number[] = []
      for (const each of from) all.push((await open(url, each)).status)
      return all
    }
    expect(await statuses('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2')).toEqual([101, 101, 101, 429, 101])
    const ofOne = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::ffff:4']
    expect(await statuses(...ofOne, '2001:db8:0:1::1')).toEqual([101, 101, 101, 429, 101])
    expect(await statuses('203.0.113.1, 192.0.2.1', '203.0.113.2, 192.0.2.1')).toEqual([429, 429])
    const metrics = await (await fetch(`${stage.gateway.service.internalUrl}/metrics`)).text()
    expect(metrics).toMatch(/^websockets_refused_total\{limit="address"\} [45]$/m)
    expect(metrics).toMatch(/^websockets_open 1\d$/m)
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
