import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { answering, answeringInTurn, atOnce, serving } from '../test/serving.js'
import { createTrestle } from './trestle.js'
import { pause } from './waiting.js'

const BLOCK = { hash: 'b1', height: 7, previousblockhash: 'b0', time: 1_700_000_000, size: 300, txlength: 1 }
const block = (id: string) => `id: ${id}\nevent: block\ndata: ${JSON.stringify({ ...BLOCK, hash: id })}\n\n`
const GREETING = 'retry: 5\nid: b0\n\n'

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
    const trestle = createTrestle({ url: 'http://127.0.0.1:1', retries: 0 })
    await expect(trestle.ltc.events.stream({ token: 't' }).next()).rejects.toMatchObject({ code: 'Unreachable' })
  })

  it('ends with the reason when it is told to, also while nothing happens', async () => {
    const { trestle } = await serving((_, response) => response.write(GREETING))
    const end = new AbortController()
    const reason = new Error('enough')
    const next = trestle.ltc.events.stream({ token: 't', signal: end.signal }).next()
    setTimeout(() => end.abort(reason), 50)
    await expect(next).rejects.toBe(reason)
  })

  it('asks for nothing when it is told to end before it begins', async () => {
    const { trestle, seen } = await serving((_, response) => response.write(GREETING))
    const reason = new Error('enough')
    const source = { current: () => Promise.reject(new Error('asked')), renew: () => Promise.reject(new Error('asked')) }
    await expect(trestle.ltc.events.stream({ token: source, signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason)
    expect(seen).toEqual([])
  })

  it('tells nothing more once it is told to end, be it here already', async () => {
    const { trestle } = await serving((_, response) => response.write(GREETING + block('b1') + block('b2')))
    const end = new AbortController()
    const reason = new Error('enough')
    const events = trestle.ltc.events.stream({ token: 't', signal: end.signal })
    expect((await events.next()).value).toMatchObject({ id: 'b1' })
    end.abort(reason)
    await expect(events.next()).rejects.toBe(reason)
  })

  it('ends with the reason between two connections', async () => {
    const end = new AbortController()
    const reason = new Error('enough')
    const sleep = (_: number, signal: AbortSignal) => {
      setImmediate(() => end.abort(reason))
      return pause(60_000, signal)
    }
    const { trestle, seen } = await serving((_, response) => response.end(GREETING + block('b1')), {}, { random: Math.random, sleep })
    const events = trestle.ltc.events.stream({ token: 't', signal: end.signal })
    expect((await events.next()).value).toMatchObject({ id: 'b1' })
    await expect(events.next()).rejects.toBe(reason)
    expect(seen).toHaveLength(1)
  })

  it('is tried a few times before it has begun, later each time', async () => {
    const { waits, pacing } = atOnce()
    const { trestle, seen } = await serving(answering({ code: 'NotReady', detail: 'Wait.' }, 503), {}, pacing)
    await expect(trestle.ltc.events.stream({ token: 't' }).next()).rejects.toMatchObject({ status: 503, code: 'NotReady' })
    expect([seen.length, waits]).toEqual([3, [199, 399]])
  })

  it.each([400, 403, 404, 429])('is refused at once by a %s before it has begun', async (status) => {
    const { trestle, seen } = await serving(answering({ code: 'TooManyStreams', detail: 'No.' }, status, { 'retry-after': '1' }))
    await expect(trestle.ltc.events.stream({ token: 't' }).next()).rejects.toMatchObject({ status, code: 'TooManyStreams' })
    expect(seen).toHaveLength(1)
  })

  it('stays away as long as it is asked to once it has begun, but no longer than a minute at a time', async () => {
    const { waits, pacing } = atOnce()
    const { trestle } = await serving(
      answeringInTurn(
        (_, response) => response.end(GREETING + block('b1')),
        answering({}, 503, { 'retry-after': '9' }),
        answering({}, 429, { 'retry-after': '9000' }),
        (_, response) => response.write(block('b2')),
      ),
      {},
      pacing,
    )
    expect((await taken(trestle.ltc.events.stream({ token: 't' }), 2)).map(({ id }) => id)).toEqual(['b1', 'b2'])
    expect(waits).toEqual([5, 9_000, 60_000])
  })

  it('is opened with a newer token when a source has an expired one', async () => {
    const source = { current: async () => 'old', renew: async (refused: string) => `newer than ${refused}` }
    const { trestle, seen } = await serving(
      answeringInTurn(answering({ code: 'TokenExpired', detail: 'The access token expired.' }, 401), (_, response) =>
        response.write(block('b1')),
      ),
    )
    expect((await taken(trestle.ltc.events.stream({ token: source }), 1)).map(({ id }) => id)).toEqual(['b1'])
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer newer than old'])
  })
})

async function taken<T>(events: AsyncGenerator<T>, count: number): Promise<T[]> {
  const all: T[] = []
  for await (const event of events) if (all.push(event) === count) break
  return all
}
