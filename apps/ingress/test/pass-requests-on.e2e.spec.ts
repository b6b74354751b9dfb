import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { closeAll, echo, say, startTestIngress, upstream } from './ingress-under-test.js'

afterEach(closeAll)

describe('the ingress', () => {
  it('sends each path to its service, unchanged', async () => {
    const [accounts, btc] = [await upstream(echo), await upstream(echo)]
    const { url } = await startTestIngress({ accounts: accounts.url, btc: btc.url })
    const target = '/accounts/users/a%2Fb//c;d=1?x=%20&y=/../z'
    const answer = (await (await fetch(`${url}/btc/api/status?q=getInfo`)).json()) as { url: string }
    await say(Number(new URL(url).port), `GET ${target} HTTP/1.1\r\nHost: door\r\nConnection: close\r\n\r\n`)
    expect([answer.url, accounts.seen[0]?.url]).toEqual(['/btc/api/status?q=getInfo', target])
  })

  it('passes on method, body and headers, and adds the client', async () => {
    const accounts = await upstream(echo)
    const { url } = await startTestIngress({ accounts: accounts.url })
    const headers = { 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6', 'x-request-id': 'mine-0001', authorization: 'Bearer t' }
    const response = await fetch(`${url}/accounts/users/me`, { method: 'PATCH', body: '{"displayName":"Zoë"}', headers })
    expect(await response.json()).toMatchObject({
      method: 'PATCH',
      body: '{"displayName":"Zoë"}',
      headers: {
        authorization: 'Bearer t',
        host: new URL(url).host,
        'content-length': '22',
        'x-request-id': 'mine-0001',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': new URL(url).host,
        'x-forwarded-proto': 'http',
      },
    })
    expect(accounts.seen[0]?.headers.forwarded).toBeUndefined()
  })

  it('passes back status, headers and repeated headers', async () => {
    const accounts = await upstream((_, response) => {
      response
        .writeHead(207, 'Mixed', ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Kept', 'yes', 'X-Hop', 'no', 'Connection', 'X-Hop'])
        .end('{}')
    })
    const { url } = await startTestIngress({ accounts: accounts.url })
    const { status, statusText, headers } = await fetch(`${url}/accounts`)
    expect([status, statusText, headers.getSetCookie(), headers.get('x-kept'), headers.get('x-hop')]).toEqual([
      207,
      'Mixed',
      ['a=1', 'b=2'],
      'yes',
      null,
    ])
  })

  it.each<[string | undefined, string | null]>([
    ['https://trestle.example.com', 'max-age=31536000'],
    ['http://127.0.0.1:8080', null],
    [undefined, null],
  ])('tells browsers to stay with HTTPS where callers have it: %s', async (publicUrl, expected) => {
    const accounts = await upstream((_, response) => {
      response.writeHead(200, { 'strict-transport-security': 'max-age=1' }).end()
    })
    const { url } = await startTestIngress({ accounts: accounts.url }, { publicUrl })
    for (const path of ['/accounts', '/', '/btc', '/missing', '/a/../b', '/chains']) {
      const { headers } = await fetch(url + path, { headers: { 'x-forwarded-proto': 'https' } })
      expect([path, headers.get('strict-transport-security')]).toEqual([path, expected])
    }
  })

  // A service takes over what the door takes over: an id that it replaced would stand in its log, and another in the answer.
  it.each(['a b"c', 'a:b:c:d:e', 'short', 'x'.repeat(65)])('replaces the request id %s, and echoes the new one', async (given) => {
    const accounts = await upstream(echo)
    const { url } = await startTestIngress({ accounts: accounts.url })
    const response = await fetch(`${url}/accounts`, { headers: { 'x-request-id': given } })
    const { headers } = (await response.json()) as { headers: Record<string, string> }
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['x-request-id']).toBe(response.headers.get('x-request-id'))
  })

  it('answers HEAD without a body and keeps its length', async () => {
    const accounts = await upstream((_, response) => response.writeHead(200, { 'content-length': 12 }).end())
    const { port } = await startTestIngress({ accounts: accounts.url })
    expect(await say(port, 'HEAD /accounts HTTP/1.1\r\nHost: door\r\nConnection: close\r\n\r\n')).toMatch(
      /content-length: 12\r\n[\s\S]*\r\n\r\n$/i,
    )
  })

  it('keeps a chunked body of a GET apart from the next request', async () => {
    const accounts = await upstream(echo)
    const { port } = await startTestIngress({ accounts: accounts.url })
    const body = '1\r\nx\r\n0\r\n\r\n'
    const answers = await say(
      port,
      `GET /accounts/1 HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n${body}GET /accounts/2 HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n`,
    )
    expect(accounts.seen.map(({ url }) => url)).toEqual(['/accounts/1', '/accounts/2'])
    expect(answers).toContain('"body":"x"')
  })

  it('answers pipelined requests in their order', async () => {
    const held: ServerResponse[] = []
    const accounts = await upstream((request, response) => {
      if (request.url === '/accounts/slow') held.push(response)
      else {
        response.end('fast')
        held[0]?.end('slow')
      }
    })
    const { port } = await startTestIngress({ accounts: accounts.url })
    const answers = await say(
      port,
      'GET /accounts/slow HTTP/1.1\r\nHost: d\r\n\r\nGET /accounts/fast HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n',
    )
    expect(answers.indexOf('slow')).toBeLessThan(answers.indexOf('fast'))
  })

  it('sends 100 Continue, so that the client sends its body', async () => {
    const accounts = await upstream(echo)
    const { port } = await startTestIngress({ accounts: accounts.url })
    const { client } = await import('./ingress-under-test.js')
    const careful = client(port)
    careful.socket.write('POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n')
    await careful.hears('100 Continue')
    careful.socket.write('hi')
    expect(await careful.end).toContain('"body":"hi"')
    expect(accounts.seen[0]?.headers.expect).toBeUndefined()
  })

  it('ignores upgrades to protocols other than WebSocket', async () => {
    const accounts = await upstream(echo)
    const { port } = await startTestIngress({ accounts: accounts.url })
    const answer = await say(
      port,
      'GET /accounts HTTP/1.1\r\nHost: d\r\nConnection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 200/)
    expect(accounts.seen[0]?.headers).not.toHaveProperty('http2-settings')
  })

  it('reuses connections, and drops one that the service closes', async () => {
    const accounts = await upstream()
    let connections = 0
    accounts.server.on('connection', () => connections++)
    const { url } = await startTestIngress({ accounts: accounts.url })
    for (let round = 0; round < 5; round++) await (await fetch(`${url}/accounts`)).text()
    accounts.server.closeIdleConnections()
    const [response] = await Promise.all([fetch(`${url}/accounts`), once(accounts.server, 'connection')])
    expect([response.status, connections]).toEqual([200, 2])
  })
})
