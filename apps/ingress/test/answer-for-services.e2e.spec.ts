import { closeAll, rawUpstream, refusingAddress, say, startTestIngress, upstream } from './ingress-under-test.js'

afterEach(closeAll)

describe('a service that fails', () => {
  it('is named when it is not deployed', async () => {
    const { url } = await startTestIngress({})
    expect(await problem(`${url}/nodes/chains`)).toEqual([503, 'ServiceNotDeployed', 'The service "nodes" is not deployed here.'])
  })

  it('is unavailable when no replica accepts the connection', async () => {
    const { url } = await startTestIngress({ accounts: [await refusingAddress(), await refusingAddress()] })
    const response = await fetch(`${url}/accounts`)
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 'ServiceUnavailable', requestId: response.headers.get('x-request-id') }),
    ])
  })

  it('is unavailable when the connection takes too long', async () => {
    // TEST-NET-1 (RFC 5737) leads nowhere; where it is refused at once, so much the better.
    const { url } = await startTestIngress({ accounts: new URL('http://192.0.2.1:9') }, { timeouts: { connectMs: 50, idleMs: 5000 } })
    expect((await problem(`${url}/accounts`)).slice(0, 2)).toEqual([503, 'ServiceUnavailable'])
  })

  it.each([
    ['something else than HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['nothing', ''],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a change of protocol nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('is a bad gateway when it sends %s', async (_, text) => {
    const accounts = await rawUpstream((socket) => {
      socket.once('data', () => socket.end(text))
    })
    const { url } = await startTestIngress({ accounts })
    expect((await problem(`${url}/accounts`)).slice(0, 2)).toEqual([502, 'BadGateway'])
  })

  it('has timed out when it is silent', async () => {
    const accounts = await upstream(() => undefined)
    const { url } = await startTestIngress({ accounts: accounts.url }, { timeouts: { connectMs: 2000, idleMs: 300 } })
    expect((await problem(`${url}/accounts`, { method: 'POST', body: '{}' })).slice(0, 2)).toEqual([504, 'UpstreamTimeout'])
  })

  it('breaks the answer off when it stalls in the middle', async () => {
    const accounts = await upstream((_, response) => response.write('half'))
    const { url } = await startTestIngress({ accounts: accounts.url }, { timeouts: { connectMs: 2000, idleMs: 300 } })
    const response = await fetch(`${url}/accounts`)
    await expect(response.text()).rejects.toThrow('terminated')
  })
})

describe('a client', () => {
  it('that stops in the middle of its body is told so', async () => {
    const accounts = await upstream((incoming) => incoming.resume())
    const { port } = await startTestIngress({ accounts: accounts.url }, { timeouts: { connectMs: 2000, idleMs: 300 } })
    const answer = await say(port, 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhalf')
    expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":"RequestTimeout"/)
  })

  it('finds all areas on the front page while no console is deployed', async () => {
    const { url } = await startTestIngress({ accounts: await refusingAddress(), btc: await refusingAddress() })
    const response = await fetch(url)
    expect([response.status, await response.json()]).toEqual([
      200,
      { name: 'trestle', areas: { accounts: '/accounts', btc: '/btc' }, docs: { accounts: '/accounts/docs', btc: '/btc/docs' } },
    ])
  })

  it('finds the console at every path outside the areas', async () => {
    const web = await upstream((request, response) => response.end(request.url))
    const { url } = await startTestIngress({ console: web.url })
    expect(await Promise.all(['/', '/nodes-and-more'].map(async (path) => (await fetch(`${url}${path}`)).text()))).toEqual([
      '/',
      '/nodes-and-more',
    ])
  })

  it.each([
    ['GET', '/unknown', 404, 'UnknownPath'],
    ['POST', '/', 404, 'UnknownPath'],
  ])('gets a problem for %s %s', async (method, path, status, code) => {
    const { url } = await startTestIngress({})
    expect((await problem(`${url}${path}`, { method })).slice(0, 2)).toEqual([status, code])
  })
})

async function problem(url: string, init?: RequestInit): Promise<unknown[]> {
  const response = await fetch(url, init)
  const { code, detail } = (await response.json()) as { code: string; detail: string }
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  return [response.status, code, detail]
}
