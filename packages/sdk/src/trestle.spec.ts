import type { RequestListener } from 'node:http'
import { answering, bodyOf, PROFILE, serving } from '../test/serving.js'
import { createTrestle } from './trestle.js'

describe(createTrestle, () => {
  it('signs in with a name and password in any script', async () => {
    const { trestle, seen } = await serving(answering({ accessToken: 't' }))
    expect(await trestle.accounts.sessions.signIn({ basic: { username: 'zoë@example.com', password: 'pä:ss' } })).toEqual({
      accessToken: 't',
    })
    expect([seen[0]?.method, seen[0]?.url, decoded(seen[0]?.headers.authorization)]).toEqual([
      'POST',
      '/accounts/auth',
      'zoë@example.com:pä:ss',
    ])
  })

  it('sends the token of the call, or the one it is bound to', async () => {
    const { trestle, seen } = await serving(answering(PROFILE))
    const bound = trestle.with({ token: 'bound' })
    await Promise.all([trestle.accounts.users.me({ token: 'given' }), bound.accounts.users.me()])
    expect(seen.map(({ headers }) => headers.authorization).sort()).toEqual(['Bearer bound', 'Bearer given'])
  })

  it('keeps its token from what needs none', async () => {
    const { trestle, seen } = await serving(answering({ keys: [] }))
    await trestle.with({ token: 't' }).accounts.discovery.keys()
    expect(seen[0]?.headers.authorization).toBeUndefined()
  })

  it('puts parameters, query and body where the contract has them', async () => {
    const { trestle, seen } = await serving(async (request, response) => {
      response.end(JSON.stringify([{ got: await bodyOf(request) }]))
    })
    await trestle.accounts.sessions.end({ token: 't', params: { id: 'a/b?c' } })
    await trestle.accounts.mailbox.list({ query: { to: 'a+b@example.com', limit: undefined } }).catch(() => undefined)
    await trestle.accounts.tokens.oauthRevoke({ body: { token: 'a b' } }).catch(() => undefined)
    expect(seen.map(({ method, url, headers }) => [method, url, headers['content-type']])).toEqual([
      ['DELETE', '/accounts/users/me/sessions/a%2Fb%3Fc', undefined],
      ['GET', '/accounts/dev/mailbox?to=a%2Bb%40example.com', undefined],
      ['POST', '/accounts/oauth2/revoke', 'application/x-www-form-urlencoded'],
    ])
  })

  it.each(['', '.', '..'])('sends nothing when %j would make the path another one', async (id) => {
    const { trestle, seen } = await serving(answering({}))
    await expect(trestle.accounts.sessions.end({ token: 't', params: { id } })).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(seen).toEqual([])
  })

  it('gives the reply as sent, with members that it does not know', async () => {
    const { trestle } = await serving(
      answering({ ...PROFILE, billingAddress: { ...PROFILE.billingAddress, city: 'Utrecht' }, plan: 'gold' }),
    )
    expect(await trestle.accounts.users.me({ token: 't' })).toMatchObject({ plan: 'gold', billingAddress: { city: 'Utrecht' } })
  })

  it('gives nothing for an answer without a body', async () => {
    const { trestle } = await serving((_, response) => response.writeHead(204).end())
    expect(await trestle.accounts.sessions.endAll({ token: 't' })).toBeUndefined()
  })

  it('refuses a reply that breaks the contract', async () => {
    const { trestle } = await serving(answering({ ...PROFILE, id: 7 }))
    await expect(trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ code: 'InvalidReply', status: 502 })
  })

  it('throws the problem that the platform answered', async () => {
    const body = { code: 'TooManyAttempts', detail: 'Wait.', status: 429, errors: [{ path: 'a', message: 'b' }] }
    const { trestle } = await serving(answering(body, 429, { 'retry-after': '7' }), { retries: 0 })
    await expect(trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({
      name: 'Problem',
      kind: 'too-many',
      code: 'TooManyAttempts',
      detail: 'Wait.',
      errors: body.errors,
      headers: { 'retry-after': '7' },
    })
  })

  it('makes a problem of an answer that is none', async () => {
    const { trestle } = await serving((_, response) => response.writeHead(502).end('<html>'), { retries: 0 })
    await expect(trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ code: 'UnexpectedAnswer', status: 502 })
  })

  it('gives a table as text, and as JSON what came as that', async () => {
    const query = { fromDate: '2026-01-01', toDate: '2026-01-31' }
    const type = (value: string) => ({ 'content-type': value })
    const csv = await serving((_, response) => response.writeHead(200, type('text/csv')).end('chain,pubkey\r\n'))
    const json = await serving(answering([], 200, type('application/json; charset=utf-8')))
    expect(await csv.trestle.staking.reports.validators({ token: 't' })).toBe('chain,pubkey\r\n')
    expect(await csv.trestle.staking.reports.billing({ token: 't', query })).toBe('chain,pubkey\r\n')
    expect(await json.trestle.staking.reports.billing({ token: 't', query })).toEqual([])
  })

  it('says when nobody is there', async () => {
    const trestle = createTrestle({ url: 'http://127.0.0.1:1', retries: 0 })
    await expect(trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ code: 'Unreachable', status: 503 })
  })

  it.each([
    ['the answer', (() => undefined) as RequestListener],
    ['the rest of the answer', ((_, response) => response.write('[')) as RequestListener],
  ])('does not wait for ever for %s', async (_, listener) => {
    const { trestle } = await serving(listener, { timeoutMs: 20 })
    await expect(trestle.accounts.users.me({ token: 't' })).rejects.toMatchObject({ code: 'Timeout', status: 504 })
  })

  it('calls by the fetch it is given', async () => {
    const trestle = createTrestle({
      url: 'https://trestle.example/',
      fetch: async (url) => Response.json({ ...PROFILE, displayName: String(url) }),
    })
    expect((await trestle.accounts.users.me({ token: 't' })).displayName).toBe('https://trestle.example/accounts/users/me')
  })

  it.each(['btc', 'bch', 'ltc'] as const)('reads the chain %s at its own path', async (chain) => {
    const { trestle, seen } = await serving(answering([]))
    const addresses = ['2NFxV5gKxF2LUf8ZUVuR9y5FS3vdbSCTzcy', 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk']
    await trestle[chain].addresses.outputsOfListed({ token: 't', query: { minHeight: '5' }, body: { addrs: addresses } })
    await trestle[chain].addresses.outputsOfSeveral({ token: 't', params: { addrs: addresses.join() } })
    expect(seen.map(({ method, url }) => [method, url])).toEqual([
      ['POST', `/${chain}/api/v1/addrs/utxo?minHeight=5`],
      ['GET', `/${chain}/api/v1/addrs/${addresses.join('%2C')}/utxo`],
    ])
  })

  it.each(['eth', 'etc'] as const)('manages the projects of the chain %s at its own path', async (chain) => {
    const { trestle, seen } = await serving(answering([]))
    await trestle[chain].projects.list({ token: 't' })
    expect(seen.map(({ method, url }) => [method, url])).toEqual([['GET', `/${chain}/projects`]])
  })

  it('sends what is asked of nodes and clusters to the base path of their area', async () => {
    const { trestle, seen } = await serving(answering([]))
    const headers = { 'idempotency-key': 'mine' }
    await trestle.nodes.nodes.create({ token: 't', body: { image: 'ltc' }, headers }).catch(() => undefined)
    await trestle.nodes.clusters.list({ token: 't', query: { all: 'true' } })
    expect(seen.map(({ method, url, headers }) => [method, url, headers['idempotency-key']])).toEqual([
      ['POST', '/nodes/users/me/nodes', 'mine'],
      ['GET', '/nodes/users/me/clusters?all=true', undefined],
    ])
  })

  it('names the organization that calls are about, wherever it sends a token', async () => {
    const { trestle, seen } = await serving(answering([]))
    const shared = trestle.with({ token: 't', organization: 'org-1' })
    await shared.nodes.clusters.list()
    await shared.chains.list()
    await shared.with({ organization: undefined }).nodes.clusters.list()
    expect(seen.map(({ headers }) => headers['trestle-organization'])).toEqual(['org-1', undefined, undefined])
  })

  it('reads numbers as JavaScript has them: those beyond 2^53 lose their last digits', async () => {
    const { trestle } = await serving((_, response) => response.end('9007199254740993'))
    expect(await trestle.btc.addresses.totalReceived({ token: 't', params: { addr: 'a' } })).toBe(9_007_199_254_740_992)
  })

  it('is typed by the contract', async () => {
    const { accounts, btc } = createTrestle({ url: 'http://any', fetch: async () => new Response(null, { status: 204 }) })
    const wrong = [
      // @ts-expect-error: the id is missing.
      () => accounts.sessions.end({ token: 't' }),
      // @ts-expect-error: no such member.
      () => accounts.users.update({ token: 't', body: { shoeSize: 44 } }),
      // @ts-expect-error: a stream has no pages.
      () => btc.events.stream.pages(),
    ]
    expect(wrong).toHaveLength(3)
  })
})

describe('pages', () => {
  it('follow rel="next" and end with it, on the same path and host', async () => {
    const { trestle, seen } = await serving((request, response) => {
      const last = request.url?.includes('cursor=b')
      const next = '<https://elsewhere.example/other?limit=1&cursor=b>; title="a, b"; rel="prefetch next"'
      response.setHeader('link', last ? '</first>; rel=first' : `</x>; rel="first", ${next}`).end(JSON.stringify([]))
    })
    const replies: unknown[] = []
    for await (const page of trestle.accounts.events.list.pages({ token: 't', query: { limit: '1' } })) replies.push(page)
    expect([replies, seen.map(({ url }) => url)]).toEqual([
      [[], []],
      ['/accounts/users/me/events?limit=1', '/accounts/users/me/events?limit=1&cursor=b'],
    ])
  })
})

function decoded(header = ''): string {
  return Buffer.from(header.replace('Basic ', ''), 'base64').toString()
}
