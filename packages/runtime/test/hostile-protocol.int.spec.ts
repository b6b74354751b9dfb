import { once } from 'node:events'
import { bearer, Client, openSocket, responseStatus, sendRaw } from './client.js'
import { bootTestService } from './test-service.js'

// Cases X1 to X19 of what every HTTP endpoint has to withstand. After each of them the next request must work.

const client = new Client()
beforeAll(async () => {
  client.service = await bootTestService()
})

afterEach(async () => {
  expect((await client.get('/items')).status).toBe(200)
})

afterAll(() => client.service.stop())

describe('malformed HTTP', () => {
  it.each([
    ['X1 no Host', 'GET /items HTTP/1.1\r\n\r\n', [400]],
    ['X2 two Hosts', 'GET /items HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', [400]],
    ['X5 CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', [405]],
    ['X6 an unknown method', 'FOO /items HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
    ['X19 a path of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, [431]],
    ['X25 a header of 100 KB', `GET /items HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, [431]],
    ['X25 a header of 10 MB', `GET /items HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(10_000_000)}\r\n\r\n`, [431]],
    ['X27 a bare LF', 'GET /items HTTP/1.1\r\nHost: a\nX: b\r\n\r\n', [400]],
    ['X27 a bare CR', 'GET /items HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n', [400]],
    ['X28 a folded header', 'GET /items HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n', [400]],
    [
      'X29 Content-Length and chunked',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      [400],
    ],
    ['X30 two Content-Lengths', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde', [400]],
    ['X31 a negative Content-Length', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n', [400]],
    ['X31 a signed Content-Length', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nabcde', [400]],
    ['X31 a list as Content-Length', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5,5\r\n\r\nabcde', [400]],
    ['X32 an endless chunk', 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n', [400]],
    ['X33 xchunked', 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n', [400, 501]],
    [
      'X33 chunked and something after it',
      'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
      [400, 501],
    ],
    ['X53 another expectation', 'GET /items HTTP/1.1\r\nHost: a\r\nExpect: coffee\r\nConnection: close\r\n\r\n', [417]],
  ])('refuses %s', async (_, bytes, statuses) => {
    const answer = await sendRaw(client.service.url, bytes)
    expect(statuses).toContain(responseStatus(answer))
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(problem).toMatchObject({ status: responseStatus(answer), requestId: expect.any(String), code: expect.any(String) })
  })

  it('responds to a malformed request line with a Problem', async () => {
    expect(await sendRaw(client.service.url, 'hello\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 Bad Request\r\n.*application\/problem\+json.*"code":"InvalidRequest"/s,
    )
  })

  it('X4 serves the absolute form', async () => {
    const answer = await sendRaw(client.service.url, 'GET http://other.example/base HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(responseStatus(answer)).toBe(200)
  })

  it('X26 accepts 200 headers', async () => {
    const headers = Array.from({ length: 200 }, (_, i) => `X-${i}: ${i}`).join('\r\n')
    expect(responseStatus(await sendRaw(client.service.url, `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n\r\n`))).toBe(
      200,
    )
  })

  it('X38 answers 100 pipelined requests in order', async () => {
    const requests = Array.from(
      { length: 100 },
      (_, i) => `GET /items/${i} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\n${i === 99 ? 'Connection: close\r\n' : ''}\r\n`,
    )
    const answer = await sendRaw(client.service.url, requests.join(''))
    expect([...answer.matchAll(/"name":"(\d+) of/g)].map(([, id]) => Number(id))).toEqual(Array.from({ length: 100 }, (_, i) => i))
  })

  it('X53 asks for the body after Expect: 100-continue', async () => {
    const socket = await openSocket(client.service.url)
    socket.write(
      'POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n',
    )
    const [first] = await once(socket, 'data')
    expect(String(first)).toMatch(/^HTTP\/1.1 100 Continue/)
    socket.write('{}')
    const [second] = await once(socket, 'data')
    expect(String(second)).toMatch(/^HTTP\/1.1 200 OK/)
    socket.destroy()
  })
})

describe('methods', () => {
  it.each(['TRACE', 'PROPFIND', 'LOCK'])('X5 answers 405 to %s', async (method) => {
    expect(responseStatus(await sendRaw(client.service.url, `${method} /items HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))).toBe(405)
    expect(responseStatus(await sendRaw(client.service.url, `${method} /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))).toBe(
      405,
    )
  })

  it('X7 answers 405 with Allow where the path is known', async () => {
    const { status, headers, body } = await client.send('PUT', '/items/5')
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD, DELETE, OPTIONS' })
    expect(body).toMatchObject({ code: 'MethodNotAllowed' })
  })

  it('X8 answers HEAD as GET, without the body', async () => {
    const [{ headers: got }, head] = [await client.get('/items'), await client.send('HEAD', '/items', { headers: bearer })]
    expect(head.text).toBe('')
    for (const name of ['content-type', 'content-length', 'cache-control']) expect(head.headers[name]).toBe(got[name])
  })

  it('X9 answers OPTIONS without an Origin with 204', async () => {
    const { status, headers } = await client.send('OPTIONS', '/items')
    expect({ status, allow: headers.allow }).toEqual({ status: 204, allow: 'GET, HEAD, POST, OPTIONS' })
  })

  it('X10 allows no other origin', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    for (const { headers: answered } of [await client.send('OPTIONS', '/items', { headers }), await client.send('GET', '/', { headers })]) {
      expect(Object.keys(answered).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  it('X57 ignores X-HTTP-Method-Override', async () => {
    const { status } = await client.send('GET', '/items/1', { headers: { ...bearer, 'x-http-method-override': 'DELETE' } })
    expect(status).toBe(200)
  })
})

describe('paths', () => {
  it.each([
    ['X11', '/nothing', 404, 'NotFound'],
    ['X13', '//items', 404, 'NotFound'],
    ['X13', '/items//parts/1', 404, 'NotFound'],
    ['X14', '/./items', 404, 'NotFound'],
    ['X14', '/items/x/../parts', 404, 'NotFound'],
    ['X14', '/items/../items', 404, 'NotFound'],
    ['X15', '/nothing/%2e%2e%2fitems', 404, 'NotFound'],
    ['X16', '/items/%00', 400, 'InvalidPath'],
    ['X16', '/items?token=%00', 400, 'InvalidPath'],
    ['X17', '/items/%zz', 400, 'InvalidPath'],
    ['X17', '/nothing/%zz', 400, 'InvalidPath'],
    ['X18', '/items/%c0%af', 400, 'InvalidPath'],
    ['X19', `/items/${'x'.repeat(8192)}`, 414, 'PathTooLong'],
    ['X19', `/items?token=${'x'.repeat(8192)}`, 414, 'PathTooLong'],
  ])('%s answers %s with %i %s', async (_, path, status, code) => {
    const answer = await sendRaw(
      client.service.url,
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nConnection: close\r\n\r\n`,
    )
    expect(responseStatus(answer)).toBe(status)
    expect(answer).toContain(`"code":"${code}"`)
    expect(answer).toMatch(/\r\nx-request-id: [\w-]{36}\r\n/)
  })

  it.each(['/items/', '/items/?limit=1', '/base/items', '/base/items/'])('X12 serves %s as /items', async (path) => {
    expect((await client.get(path)).body).toEqual([{ name: 'one', size: 1 }])
  })

  it.each(['/items', '//items', '/./items', '/base/items', '/items/%2e%2e%2fitems', '/items/..%2f..%2fx', '/%69tems'])(
    'X14 lets nobody in without a token at %s',
    async (path) => {
      const answer = await sendRaw(client.service.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect([401, 404]).toContain(responseStatus(answer))
    },
  )

  it('serves a front page at the root', async () => {
    const expected = { name: 'test', version: '1.2.3', docs: '/base/docs' }
    expect((await client.send('GET', '/')).body).toEqual(expected)
    expect((await client.send('GET', '/base/')).body).toEqual(expected)
  })
})
