import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { answering, answeringInTurn, atOnce, bodyOf, PROFILE, serving } from '../test/serving.js'
import { pause } from './waiting.js'

const NODE = { body: { image: 'ltc' as const }, token: 't' }
const silent: RequestListener = () => undefined
const away = answering({}, 503)

describe('a call that fails for a while', () => {
  it.each([429, 502, 503, 504])('is tried again after a %s, later each time, three times in all', async (status) => {
    const { waits, pacing } = atOnce()
    const { trestle, seen } = await serving(answering({ code: 'Busy', detail: 'Wait.' }, status), {}, pacing)
    await expect(trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ status, code: 'Busy' })
    expect([seen.length, waits]).toEqual([3, [199, 399]])
  })

  it('is answered when it passes', async () => {
    const { waits, pacing } = atOnce()
    const { trestle, seen } = await serving(
      answeringInTurn(away, (request) => request.socket.destroy(), answering(PROFILE)),
      {},
      pacing,
    )
    expect(await trestle.accounts.users.me({ token: 't' })).toMatchObject({ displayName: 'Zoë' })
    expect([seen.length, waits.length]).toEqual([3, 2])
  })

  it('is tried as often as one wants: never again with `retries: 0`', async () => {
    const once = await serving(away, { retries: 0 }, atOnce().pacing)
    const often = await serving(away, { retries: 7 }, atOnce().pacing)
    await expect(once.trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ status: 503 })
    await expect(often.trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ status: 503 })
    expect([once.seen.length, often.seen.length]).toEqual([1, 8])
  })

  it('waits as long as `Retry-After` says, in seconds or until a date', async () => {
    const { waits, pacing } = atOnce()
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toUTCString()
    const { trestle } = await serving(
      answeringInTurn(
        answering({}, 429, { 'retry-after': '7' }),
        answering({}, 503, { 'retry-after': at(11), date: at(0) }),
        answering(PROFILE),
      ),
      {},
      pacing,
    )
    await trestle.accounts.users.me({ token: 't' })
    expect(waits).toEqual([7_000, 11_000])
  })

  it('is not tried again when the wait would be longer than the call may take', async () => {
    const { waits, pacing } = atOnce()
    const { trestle, seen } = await serving(answering({ code: 'Busy', detail: 'Wait.' }, 429, { 'retry-after': '31' }), {}, pacing)
    await expect(trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ code: 'Busy', headers: { 'retry-after': '31' } })
    expect([seen.length, waits]).toEqual([1, []])
  })

  it('takes no longer than one call may, tries and all', async () => {
    const { trestle, seen } = await serving(answeringInTurn(away, silent), { timeoutMs: 1_000 }, atOnce().pacing)
    await expect(trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ code: 'Timeout', status: 504 })
    expect(seen).toHaveLength(2)
  })

  it.each([400, 401, 403, 404, 409, 500])('is not tried again after a %s', async (status) => {
    const { trestle, seen } = await serving(answering({ code: 'No', detail: 'No.' }, status), {}, atOnce().pacing)
    await expect(trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ status, code: 'No' })
    expect(seen).toHaveLength(1)
  })

  it('is not tried again where twice could be twice: a POST without a key, a PATCH', async () => {
    const { trestle, seen } = await serving(away, {}, atOnce().pacing)
    await expect(trestle.accounts.clientKeys.create({ token: 't' })).rejects.toMatchObject({ status: 503 })
    await expect(trestle.accounts.users.update({ token: 't', body: {} })).rejects.toMatchObject({ status: 503 })
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'PATCH'])
  })

  it('is tried again where it changes nothing, or the same', async () => {
    const { trestle, seen } = await serving(away, { retries: 1 }, atOnce().pacing)
    await expect(trestle.btc.addresses.outputsOfListed({ token: 't', body: { addrs: 'a' } })).rejects.toMatchObject({ status: 503 })
    await expect(trestle.accounts.sessions.endAll({ token: 't' })).rejects.toMatchObject({ status: 503 })
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE', 'DELETE'])
  })

  it('goes on for every page', async () => {
    const page = answering([], 200, { link: '</x?cursor=b>; rel="next"' })
    const { trestle, seen } = await serving(answeringInTurn(page, away, answering([])), {}, atOnce().pacing)
    const all: unknown[] = []
    for await (const each of trestle.accounts.events.list.pages({ token: 't' })) all.push(each)
    expect([all, seen.map(({ url }) => url?.split('?')[1])]).toEqual([
      [[], []],
      [undefined, 'cursor=b', 'cursor=b'],
    ])
  })
})

describe('a creation', () => {
  it('has one key in all its tries, and another one the next time', async () => {
    const { trestle, seen } = await serving(away, {}, atOnce().pacing)
    for (const _ of [1, 2]) await expect(trestle.nodes.nodes.create(NODE)).rejects.toMatchObject({ status: 503 })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys.slice(0, 3)).size, new Set(keys).size]).toEqual([6, 1, 2])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  it('keeps the key it is given', async () => {
    const { trestle, seen } = await serving(away, {}, atOnce().pacing)
    const params = { chain: 'dev' }
    const headers = { 'idempotency-key': 'mine' }
    const body = { withdrawalAddress: `0x${'ab'.repeat(20)}` }
    await expect(trestle.staking.validators.create({ token: 't', params, headers, body })).rejects.toMatchObject({ status: 503 })
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine', 'mine'])
  })

  it('has no key where none is taken', async () => {
    const { trestle, seen } = await serving(away)
    await expect(trestle.accounts.clientKeys.create({ token: 't' })).rejects.toMatchObject({ status: 503 })
    expect(seen[0]!.headers['idempotency-key']).toBeUndefined()
  })
})

describe('a call that is aborted', () => {
  const reason = new Error('enough')

  it('sends nothing when it is so from the start, not even for a token', async () => {
    const { trestle, seen } = await serving(answering(PROFILE))
    let asked = 0
    const source = { current: async () => String(++asked), renew: async () => String(++asked) }
    await expect(trestle.accounts.users.me({ token: source, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect([seen.length, asked]).toEqual([0, 0])
  })

  it('leaves the line while it waits for the answer', async () => {
    const end = new AbortController()
    const { trestle, seen } = await serving(() => end.abort(reason))
    await expect(trestle.accounts.users.me({ token: 't', signal: end.signal })).rejects.toBe(reason)
    const { socket } = seen[0]!
    if (!socket.destroyed) await once(socket, 'close')
  })

  it('leaves the line in the middle of the answer', async () => {
    const end = new AbortController()
    const { trestle } = await serving((_, response) => {
      response.write('{', () => setImmediate(() => end.abort(reason)))
    })
    await expect(trestle.accounts.users.me({ token: 't', signal: end.signal })).rejects.toBe(reason)
  })

  it('ends at once between two tries', async () => {
    const end = new AbortController()
    const sleep = (ms: number, signal: AbortSignal) => {
      setImmediate(() => end.abort(reason))
      return pause(ms, signal)
    }
    const { trestle, seen } = await serving(answering({}, 503, { 'retry-after': '25' }), {}, { random: Math.random, sleep })
    await expect(trestle.accounts.users.me({ token: 't', signal: end.signal })).rejects.toBe(reason)
    expect(seen).toHaveLength(1)
  })

  it('waits no longer for a token, which others still get', async () => {
    const end = new AbortController()
    const { promise, resolve } = Promise.withResolvers<string>()
    const source = { current: () => promise, renew: () => promise }
    const { trestle, seen } = await serving(answering(PROFILE))
    const given = trestle.accounts.users.me({ token: source, signal: end.signal })
    const patient = trestle.accounts.users.me({ token: source })
    end.abort(reason)
    await expect(given).rejects.toBe(reason)
    resolve('late')
    expect(await patient).toMatchObject({ displayName: 'Zoë' })
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer late'])
  })

  it('ends between two pages', async () => {
    const end = new AbortController()
    const { trestle, seen } = await serving(answering([], 200, { link: '</x?cursor=b>; rel="next"' }))
    const pages = trestle.accounts.events.list.pages({ token: 't', signal: end.signal })
    expect((await pages.next()).value).toEqual([])
    end.abort(reason)
    await expect(pages.next()).rejects.toBe(reason)
    expect(seen).toHaveLength(1)
  })

  it('is an AbortError where no reason was given, and no matter to other calls of the same signal that are over', async () => {
    const end = new AbortController()
    const { trestle } = await serving(answering(PROFILE))
    expect(await trestle.accounts.users.me({ token: 't', signal: end.signal })).toMatchObject({ displayName: 'Zoë' })
    end.abort()
    await expect(trestle.accounts.users.me({ token: 't', signal: end.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a node', () => {
  const call = { method: 'getblockcount', params: [] }

  it.each([
    [{ type: 'basic', user: 'u', pass: 'p' } as const, `Basic ${btoa('u:p')}`],
    [{ type: 'jwt' } as const, 'Bearer t'],
    [{ type: 'none' } as const, undefined],
  ])('is called as it wants: %j', async (auth, authorization) => {
    const bodies: string[] = []
    const { trestle, seen } = await serving(async (request, response) => {
      bodies.push(await bodyOf(request))
      answering({ result: 7, error: null, id: 1 })(request, response)
    })
    expect(await trestle.with({ token: 't' }).nodes.rpc({ node: { id: 'node-1', auth }, ...call })).toBe(7)
    expect([seen[0]!.method, seen[0]!.url, seen[0]!.headers.authorization]).toEqual(['POST', '/nodes/rpc/node-1', authorization])
    expect(JSON.parse(bodies[0]!)).toEqual({ jsonrpc: '2.0', id: 1, ...call })
  })

  it('throws its own error, whatever the status, and asks once only', async () => {
    const error = { code: -28, message: 'Loading block index...' }
    const { trestle, seen } = await serving(answering({ result: null, error, id: 1 }, 503), {}, atOnce().pacing)
    await expect(trestle.nodes.rpc({ node: { id: 'node-1', auth: { type: 'none' } }, ...call })).rejects.toMatchObject({
      name: 'RpcError',
      ...error,
    })
    expect(seen).toHaveLength(1)
  })

  it('throws the problem of a gateway that did not pass it on, and of an answer that is no JSON-RPC', async () => {
    const node = { id: 'node-1', auth: { type: 'none' } as const }
    const { trestle } = await serving(answeringInTurn(answering({ code: 'NotReady', detail: 'It starts.' }, 503), answering([])))
    await expect(trestle.nodes.rpc({ node, ...call })).rejects.toMatchObject({ name: 'Problem', code: 'NotReady' })
    await expect(trestle.nodes.rpc({ node, ...call })).rejects.toMatchObject({ name: 'Problem', code: 'InvalidReply' })
  })
})
