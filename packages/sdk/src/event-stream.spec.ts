import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTrestle, type Trestle } from './trestle.js'

const BLOCK = { hash: 'b1', height: 7, previousblockhash: 'b0', time: 1_700_000_000, size: 300, txlength: 1 }
const block = (id: string) => `id: ${id}\nevent: block\ndata: ${JSON.stringify({ ...BLOCK, hash: id })}\n\n`
const GREETING = 'retry: 5\nid: b0\n\n'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

describe('a stream of events', () => {
  it('tells what comes, with the id to take up at, in whatever pieces it comes', async () => {
    const text = `${GREETING}:\n\n${block('b1')}event: tx\ndata: {"txid":"é","valueOut":0.5,"size":9,"time":1}\n\n`
    const { trestle } = await serving((_, response) => {
      for (const byte of Buffer.from(text)) response.write(Buffer.of(byte))
    })
    const events = trestle.ltc.events.stream({ token: 't', query: { events: 'block,tx' } })
    expect(await taken(events, 2)).toEqual([
      { event: 'block', id: 'b1', data: { ...BLOCK, hash: 'b1' } },
      { event: 'tx', id: 'b1', data: { txid: 'é', valueOut: 0.5, size: 9, time: 1 } },
    ])
  })

  it('asks with the token and the place, and leaves the line when the loop is left', async () => {
    const { trestle, seen } = await serving((_, response) => response.write(block('b1')))
    for await (const { event, data } of trestle.btc.events.stream({ token: 't', query: { address: 'a,b' }, lastEventId: 'b0' })) {
      expect([event, event === 'block' && data.height]).toEqual(['block', 7])
      break
    }
    await once(seen[0]!.socket, 'close')
    expect([seen[0]!.url, seen[0]!.headers]).toMatchObject([
      '/btc/api/v1/events?address=a%2Cb',
      { authorization: 'Bearer t', accept: 'text/event-stream', 'last-event-id': 'b0' },
    ])
  })

  it.each([
    ['ends', (response: ServerResponse) => response.end()],
    ['breaks off', (response: ServerResponse) => response.destroy()],
  ])('is taken up where it was when it %s, also while the platform is away for a while', async (_, finish) => {
    const { trestle, seen } = await serving((request, response) => {
      if (seen.length === 2) return response.writeHead(503).end()
      response.write(GREETING)
      if (request.headers['last-event-id']) return response.write(block('b2'))
      response.write(block('b1'))
      return setTimeout(finish, 20, response)
    })
    expect((await taken(trestle.ltc.events.stream({ token: 't' }), 2)).map(({ id }) => id)).toEqual(['b1', 'b2'])
    expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'b1', 'b1'])
  })

  it('throws what it is refused with, at first or later', async () => {
    const refusal = JSON.stringify({ code: 'InvalidToken', detail: 'Revoked.' })
    const { trestle, seen } = await serving((_, response) =>
      seen.length === 2 ? response.end(GREETING + block('b1')) : response.writeHead(401).end(refusal),
    )
    const first = trestle.ltc.events.stream({ token: 't' })
    await expect(first.next()).rejects.toMatchObject({ status: 401, code: 'InvalidToken' })
    const second = trestle.ltc.events.stream({ token: 't' })
    expect((await second.next()).value).toMatchObject({ id: 'b1' })
    await expect(second.next()).rejects.toMatchObject({ status: 401 })
  })

  it('throws what breaks the contract, and leaves out what is new to it', async () => {
    const { trestle } = await serving((_, response) => response.write(`event: new\ndata: {}\n\n${block('b1')}event: block\ndata: {}\n\n`))
    const events = trestle.ltc.events.stream({ token: 't' })
    expect((await events.next()).value).toMatchObject({ event: 'block' })
    await expect(events.next()).rejects.toMatchObject({ code: 'InvalidReply' })
  })

  it('says when nobody is there', async () => {
    const trestle = createTrestle({ url: 'http://127.0.0.1:1' })
    await expect(trestle.ltc.events.stream({ token: 't' }).next()).rejects.toMatchObject({ code: 'Unreachable' })
  })

  it('ends when it is told to, also while nothing happens', async () => {
    const { trestle } = await serving((_, response) => response.write(GREETING))
    const end = new AbortController()
    const next = trestle.ltc.events.stream({ token: 't', signal: end.signal }).next()
    setTimeout(() => end.abort(), 50)
    expect(await next).toEqual({ done: true, value: undefined })
  })
})

async function taken<T>(events: AsyncGenerator<T>, count: number): Promise<T[]> {
  const all: T[] = []
  for await (const event of events) if (all.push(event) === count) break
  return all
}

async function serving(listener: RequestListener): Promise<{ trestle: Trestle; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    listener(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { trestle: createTrestle({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }), seen }
}
