import { once } from 'node:events'
import { bearer, Client, openSocket } from './client.js'
import { bootTestService } from './test-service.js'

// Cases X20 to X60 of what every HTTP endpoint has to withstand. After each of them the next request must work.

const client = new Client()
beforeAll(async () => {
  client.service = await bootTestService()
})

afterEach(async () => {
  expect((await client.get('/items')).status).toBe(200)
})

afterAll(() => client.service.stop())

describe('queries', () => {
  it('X20 refuses 1000 members, and names the first of them', async () => {
    const query = Array.from({ length: 1000 }, (_, i) => `k${i}=1`).join('&')
    const { status, body } = await client.get(`/items?${query}`)
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'InvalidInput' } })
    expect((body as { errors: unknown[] }).errors).toHaveLength(20)
  })

  it.each([
    'limit=1&limit=2',
    'limit[$gt]=1',
    'limit[]=1',
    'limit%5B%5D=1',
    'limit=1e1',
    'limit=0x10',
    'limit=%EF%BC%91',
    'limit=%201',
    'limit=+1',
    'limit=%2B1',
    'limit=-0',
    'limit=NaN',
    'limit=Infinity',
    'limit=',
    'limit=9007199254740993',
    'limit=101',
    'limit=0',
  ])('X21-24 refuses %s and names the member', async (query) => {
    const { status, body } = await client.get(`/items?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'InvalidInput', errors: [{ path: 'query.limit', message: expect.any(String) }] })
  })

  it('refuses unknown parameters, but for a cache buster', async () => {
    expect((await client.get('/items?limit=2&_=1')).body).toHaveLength(2)
    expect((await client.get('/items?limt=2&x[]=1')).body).toMatchObject({
      status: 400,
      errors: [
        { path: 'query.limt', message: 'unknown parameter "limt"; did you mean "limit"?' },
        { path: 'query.x[]', message: 'unknown parameter "x[]"; the parameters here are "limit", "token" and "keep"' },
      ],
    })
  })

  it('refuses parameters where there are none, but only of those who may call', async () => {
    expect(await client.get('/items/1?force=1')).toMatchObject({ status: 400, body: { errors: [{ path: 'query.force' }] } })
    expect(await client.get('/items/1/parts/x?force=1')).toMatchObject({ status: 400, body: { errors: [{ path: 'query.force' }] } })
    expect((await client.send('GET', '/items/1/parts/x?force=1')).status).toBe(401)
  })
})

describe('bodies', () => {
  it.each([
    ['X41 text', 'text/plain'],
    ['X41 a form', 'application/x-www-form-urlencoded'],
    ['X41 no type at all', undefined],
    ['X41 an invalid type', 'json'],
    ['X42 UTF-16', 'application/json; charset=utf-16'],
  ])('refuses %s', async (_, type) => {
    const answer = await client.send('POST', '/echo', { body: '{}', headers: type === undefined ? {} : { 'content-type': type } })
    expect(answer).toMatchObject({ status: 415, body: { code: 'UnsupportedMediaType' } })
  })

  it.each([
    ['X44 a JSON that ends too early', '{"a":'],
    ['X45 100 000 levels', '['.repeat(100_000)],
    ['X46 duplicate members', '{"a":1,"a":2}'],
    ['X47 __proto__', '{"__proto__":{"x":1}}'],
    ['X47 constructor.prototype', '{"constructor":{"prototype":{"x":1}}}'],
    ['X48 half a surrogate pair', '"\\ud800"'],
    ['X49 what is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['X50 a byte order mark', '\ufeff{}'],
    ['X51 a number beyond the range', '1e400'],
  ])('refuses %s', async (_, body) => {
    const answer = await client.send('POST', '/echo', { body, headers: { 'content-type': 'application/json' } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidJson' } })
    expect((await client.post('/echo', {})).body).toEqual({ echo: {}, polluted: false })
  })

  it.each(['null', '[]', '"text"', '1'])('X52 refuses %s where an object is required', async (body) => {
    const answer = await client.send('POST', '/items', { body, headers: { ...bearer, 'content-type': 'application/json' } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidInput', errors: [{ path: 'body' }] } })
  })

  it('refuses unknown members, and a body where there is none', async () => {
    expect((await client.post('/items', { name: 'two', size: 2, colour: 'red' })).body).toMatchObject({
      status: 400,
      errors: [{ path: 'body.colour', message: 'unknown member "colour"; the members here are "name" and "size"' }],
    })
    const headers = { ...bearer, 'content-type': 'application/json' }
    expect(await client.send('DELETE', '/items/1', { body: '{"force":true}', headers })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.force', message: 'unknown member "force"; this endpoint takes none' }] },
    })
    expect((await client.send('DELETE', '/items/1', { body: '{}', headers })).status).toBe(204)
  })

  it('lists everything that is wrong in one response', async () => {
    const { body } = await client.post('/items', { size: 'large' })
    expect((body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual(['body.name', 'body.size'])
  })

  it('requires a body where the endpoint declares one', async () => {
    expect(await client.send('POST', '/items', { headers: bearer })).toMatchObject({ status: 400, body: { code: 'InvalidInput' } })
  })

  it.each([
    ['DELETE', '/items/1', 'application/json', 204],
    ['POST', '/echo', 'application/json', 200],
    ['POST', '/echo', 'application/x-www-form-urlencoded', 200],
  ] as const)('X43 takes an empty body: %s %s as %s', async (method, path, type, status) => {
    expect((await client.send(method, path, { headers: { ...bearer, 'content-type': type } })).status).toBe(status)
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])('accepts %s', async (type) => {
    expect((await client.send('POST', '/echo', { body: '"é"', headers: { 'content-type': type } })).body).toMatchObject({ echo: 'é' })
  })

  it('X39 refuses a body of 10 MB before it has arrived', async () => {
    const socket = await openSocket(client.service.url)
    socket.write('POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n{')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 .*"code":"BodyTooLarge"/s)
    socket.destroy()
  })

  it('answers 404 without waiting for the body', async () => {
    const socket = await openSocket(client.service.url)
    socket.write('POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 404 /)
    socket.destroy()
  })

  it('X39 refuses a body of 10 MB in chunks', async () => {
    async function* chunks() {
      for (let i = 0; i < 160; i++) yield Buffer.alloc(65_536, ' ')
    }
    const sent = fetch(`${client.service.url}/echo`, {
      method: 'POST',
      body: ReadableStream.from(chunks()),
      headers: { 'content-type': 'application/json' },
      duplex: 'half',
    } as RequestInit)
    // The connection may be reset while the client still writes.
    expect(
      await sent.then(
        ({ status }) => status,
        () => 413,
      ),
    ).toBe(413)
  })

  it('X40 refuses a compressed body', async () => {
    const answer = await client.send('POST', '/echo', {
      body: Buffer.alloc(10),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    expect(answer).toMatchObject({ status: 415, body: { code: 'UnsupportedMediaType' } })
  })
})

describe('forms', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  it('parses a form where the endpoint declares one', async () => {
    expect(await client.send('POST', '/form', { body: 'grant_type=client_credentials&scope=a+b', headers: form })).toMatchObject({
      status: 200,
      body: { grant_type: 'client_credentials', scope: 'a b' },
    })
  })

  it.each([
    ['a repeated parameter', 'a=1&a=2', form],
    ['JSON', '{}', { 'content-type': 'application/json' }],
    ['a compressed form', 'a=1', { ...form, 'content-encoding': 'gzip' }],
  ])('answers 400 to %s, as RFC 6749 requires', async (_, body, headers) => {
    expect(await client.send('POST', '/form', { body, headers })).toMatchObject({ status: 400, body: { code: 'InvalidForm' } })
  })
})

describe('bodies of either form', () => {
  it.each([
    ['a=1&b=x+y', 'application/x-www-form-urlencoded', 200, { read: { a: '1', b: 'x y' } }],
    ['{"a":1}', 'application/json', 200, { read: { a: 1 } }],
    ['', 'application/x-www-form-urlencoded', 200, { read: 'nothing' }],
    ['a=1&a=2', 'application/x-www-form-urlencoded', 400, { code: 'InvalidForm' }],
    ['a=1', 'application/x-www-form-urlencoded; charset=latin1', 415, { code: 'UnsupportedMediaType' }],
    ['a=1', 'text/plain', 415, { code: 'UnsupportedMediaType' }],
  ])('are parsed by their type: %j as %s', async (body, type, status, answer) => {
    const headers = { 'content-type': type }
    expect(await client.send('POST', '/either', { body, headers })).toMatchObject({ status, body: answer })
  })
})

describe('headers', () => {
  it('adds the common headers to every response', async () => {
    for (const { headers } of [
      await client.get('/items'),
      await client.get('/nothing'),
      await client.send('GET', '/items'),
      await client.send('GET', '/docs'),
      await client.get('/items/%zz'),
    ]) {
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String) })
      expect(headers['x-powered-by']).toBeUndefined()
    }
  })

  it('keeps a well-formed request id, in the header and in the problem', async () => {
    const { headers, body } = await client.send('GET', '/nothing', { headers: { 'x-request-id': 'abc-123.DEF_4' } })
    expect([headers['x-request-id'], (body as { requestId: string }).requestId]).toEqual(['abc-123.DEF_4', 'abc-123.DEF_4'])
  })

  it.each(['x', 'a b c d e f g', '{"level":50}', 'x'.repeat(65)])('X59 replaces the request id %s', async (given) => {
    const { headers } = await client.send('GET', '/', { headers: { 'x-request-id': given } })
    expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  })

  it.each([
    ['X3', { host: 'evil.example' }],
    ['X54', { range: 'bytes=0-1' }],
    ['X55', { accept: 'image/png' }],
    ['X56', { 'x-forwarded-for': Array.from({ length: 50 }, (_, i) => `10.0.0.${i}`).join(', ') }],
    ['X56', { 'x-forwarded-for': 'fe80::1%eth0, garbage, "' }],
    ['X58', { 'if-none-match': '*', 'if-match': '"x"', 'if-modified-since': 'never' }],
    ['X60', { traceparent: 'x'.repeat(10_000) }],
  ])('%s does not change the response', async (_, headers) => {
    const answer = await client.send('GET', '/items', { headers: { ...bearer, ...headers } })
    expect(answer).toMatchObject({ status: 200, body: [{ name: 'one', size: 1 }] })
  })
})

describe('errors', () => {
  it('reveals nothing of an unexpected error', async () => {
    const { status, text } = await client.send('GET', '/broken')
    expect(status).toBe(500)
    expect(text).not.toMatch(/secret insides|\.ts|at /)
  })

  it('responds to a Problem with its status and headers', async () => {
    const { status, headers, body } = await client.send('GET', '/conflict')
    expect({ status, type: headers['content-type'], after: headers['retry-after'] }).toEqual({
      status: 409,
      type: 'application/problem+json; charset=utf-8',
      after: '3',
    })
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: 'It is taken.',
      message: 'It is taken.',
      code: 'Taken',
      requestId: headers['x-request-id'],
    })
  })
})
