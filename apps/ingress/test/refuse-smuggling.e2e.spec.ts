import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { client, closeAll, echo, say, startTestIngress, upstream } from './ingress-under-test.js'

afterEach(closeAll)

const LAST = 'GET /accounts/last HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n'

describe('a request that could be read in two ways', () => {
  it.each([
    ['both a length and chunks', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['chunks and a length', 'POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['the same length twice', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na'],
    ['a list of lengths', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: 1, 1\r\n\r\na'],
    ['a signed length', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: +1\r\n\r\na'],
    ['a negative length', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: -1\r\n\r\na'],
    ['a length in hexadecimal', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: 0x1\r\n\r\na'],
    ['bare line feeds', 'GET /accounts HTTP/1.1\nHost: d\n\n'],
    ['one bare line feed', 'GET /accounts HTTP/1.1\r\nHost: d\nX: y\r\n\r\n'],
    ['a bare carriage return', 'GET /accounts HTTP/1.1\r\nHost: d\rX: y\r\n\r\n'],
    ['a folded line', 'POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length : 1\r\n\r\na'],
    ['a space before the first name', 'POST /accounts HTTP/1.1\r\n Host: d\r\n\r\n'],
    ['a coding that is not chunked', 'POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['chunked twice', 'POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n'],
    [
      'chunked in two lines',
      'POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['chunked before another coding', 'POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
    ['another coding before chunked', 'POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['a control character in a value', 'GET /accounts HTTP/1.1\r\nHost: d\r\nX: a\u0000b\r\n\r\n'],
    ['a space in the target', 'GET /accounts /staking HTTP/1.1\r\nHost: d\r\n\r\n'],
    ['two hosts', 'GET /accounts HTTP/1.1\r\nHost: d\r\nHost: e\r\n\r\n'],
    ['no host', 'GET /accounts HTTP/1.1\r\nX: y\r\n\r\n'],
    ['a version we do not speak', 'GET /accounts HTTP/3.0\r\nHost: d\r\n\r\n'],
    ['a version that is not spoken in text', 'GET /accounts HTTP/2.0\r\nHost: d\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no version', 'GET /accounts\r\n\r\n'],
    ['chunks in HTTP/1.0', 'POST /accounts HTTP/1.0\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a length beyond all numbers', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: 99999999999999999999\r\n\r\na'],
    ['an empty length', 'POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: \r\n\r\n'],
    ['a path as host', 'GET /accounts HTTP/1.1\r\nHost: d/staking\r\n\r\n'],
    ['a byte beyond ASCII in the target', 'GET /accounts/\u00ff HTTP/1.1\r\nHost: d\r\n\r\n'],
    ['DEL in a value', 'GET /accounts HTTP/1.1\r\nHost: d\r\nX: a\u007fb\r\n\r\n'],
    ['no name before the colon', 'GET /accounts HTTP/1.1\r\nHost: d\r\n: x\r\n\r\n'],
    ['no HTTP at all', '\u0016\u0003\u0001 hello\r\n\r\n'],
  ])('is refused: %s', async (_, text) => {
    const accounts = await upstream(echo)
    const { port } = await startTestIngress({ accounts: accounts.url })
    const { socket, hears, heard } = client(port)
    socket.write(text, 'latin1')
    await hears('requestId')
    expect(heard()).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[\s\S]*content-type: application\/problem\+json/)
    expect(accounts.seen).toEqual([])
  })

  it.each([
    ['a chunk size that is none', 'zz\r\nabc\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '1\r\nabc\r\n0\r\n\r\n'],
    ['a bare line feed after a chunk size', '1\na\r\n0\r\n\r\n'],
    ['a signed chunk size', '+1\r\na\r\n0\r\n\r\n'],
    ['a chunk size beyond 64 bits', 'ffffffffffffffffff\r\na'],
    ['a chunk size with a prefix', '0x1\r\na\r\n0\r\n\r\n'],
    ['a space after a chunk size', '1 \r\na\r\n0\r\n\r\n'],
    ['a comma in a chunk size', '1,1\r\na\r\n0\r\n\r\n'],
  ])('is refused in the middle of its body: %s', async (_, body) => {
    const accounts = await upstream(echo)
    const { port } = await startTestIngress({ accounts: accounts.url })
    const answer = await say(port, `POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n${body}`)
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"MalformedRequest"/)
  })

  it('never reaches a service as more requests than the ingress counted', async () => {
    const accounts = await upstream(echo)
    const { port } = await startTestIngress({ accounts: accounts.url })
    const line = fc.constantFrom(
      'Content-Length: 4',
      'Content-Length: 0',
      'content-length:4 ',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding : chunked',
      'Transfer-Encoding: identity',
      'Connection: Content-Length',
      'Connection: Transfer-Encoding, close',
      'X: y\nTransfer-Encoding: chunked',
      'Upgrade: websocket',
      'Expect: 100-continue',
    )
    const body = fc.constantFrom('', 'abcd', '0\r\n\r\n', '4\r\nabcd\r\n0\r\n\r\n', 'GET /accounts/smuggled HTTP/1.1\r\nHost: d\r\n\r\n')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('GET', 'POST', 'DELETE'), fc.array(line, { maxLength: 4 }), body, async (method, lines, text) => {
        accounts.seen.length = 0
        const { socket, end } = client(port)
        // However the first request is read, the second one ends the connection, or is garbage that does.
        socket.write(`${[`${method} /accounts HTTP/1.1`, 'Host: d', ...lines].join('\r\n')}\r\n\r\n${text}${LAST}`)
        const answers = (await end).match(/HTTP\/1\.1 [2-5]\d\d/g) ?? []
        expect(accounts.seen.length).toBeLessThanOrEqual(answers.length)
        expect(answers.join()).not.toContain('500')
      }),
      { numRuns: 150 },
    )
  })
})

describe('what follows on the connection', () => {
  it.each([
    ['chunks in HTTP/1.0', 'POST /accounts HTTP/1.0\r\nHost: d\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a lost coding', 'POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['an unknown expectation', 'POST /accounts HTTP/1.1\r\nHost: d\r\nExpect: coffee\r\nContent-Length: 0\r\n\r\n'],
  ])('is not read after %s', async (_, text) => {
    const accounts = await upstream(echo)
    const { url, port } = await startTestIngress({ accounts: accounts.url })
    // On a connection that is kept the next request would be at the service at once.
    await (await fetch(`${url}/accounts`)).text()
    accounts.seen.length = 0
    const answer = await say(port, text + LAST)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1)
    expect(answer).toContain('connection: close')
    expect(accounts.seen).toEqual([])
  })

  it('does not affect the answer to a complete request when it is garbage', async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    const accounts = await upstream((_, response) => resolve(response))
    const { port } = await startTestIngress({ accounts: accounts.url })
    const { socket, end } = client(port)
    socket.write('POST /accounts HTTP/1.1\r\nHost: d\r\nContent-Length: 2\r\n\r\n{}GARBAGE\r\n\r\n')
    const service = await promise
    socket.write('MORE\r\n\r\n')
    service.end('done')
    expect(await end).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*done$/)
  })
})

describe('Expect', () => {
  it('is answered with a problem unless it is 100-continue', async () => {
    const accounts = await upstream(echo)
    const { port } = await startTestIngress({ accounts: accounts.url })
    const answer = await say(port, 'POST /accounts HTTP/1.1\r\nHost: d\r\nExpect: coffee\r\nContent-Length: 1\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 417 Expectation Failed\r\n[\s\S]*application\/problem\+json[\s\S]*"code":"ExpectationFailed"/)
    expect(accounts.seen).toEqual([])
  })

  it('is met by the ingress, and hidden from the service', async () => {
    const accounts = await upstream(echo)
    const { port } = await startTestIngress({ accounts: accounts.url })
    const { socket, hears, end } = client(port)
    socket.write('POST /accounts HTTP/1.1\r\nHost: d\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n')
    await hears('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('{}')
    expect(await end).toContain('"body":"{}"')
    expect(accounts.seen[0]?.headers.expect).toBeUndefined()
  })
})

describe('the limits', () => {
  it.each([
    ['one header of 17 KB', `X: ${'x'.repeat(17_000)}\r\n`],
    ['one header of 64 KiB', `X: ${'x'.repeat(65_536)}\r\n`],
    ['64 KiB of small headers', 'X: abcdefghijk\r\n'.repeat(4096)],
    ['5 MB of headers, all of them sent', 'X: abcdefghijk\r\n'.repeat(312_500)],
  ])('refuse %s', async (_, lines) => {
    const { port } = await startTestIngress({})
    expect(await say(port, `GET /accounts HTTP/1.1\r\nHost: d\r\n${lines}\r\n`)).toMatch(/^HTTP\/1.1 431 [\s\S]*"code":"HeadersTooLarge"/)
  })

  it('refuse a target of 64 KiB', async () => {
    const { port } = await startTestIngress({})
    expect(await say(port, `GET /accounts/${'x'.repeat(65_536)} HTTP/1.1\r\nHost: d\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /)
  })

  it.each([
    ['chunk extensions', `1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`, 413, 'BodyTooLarge'],
    ['trailers', `1\r\na\r\n0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HeadersTooLarge'],
  ])('refuse 20 KB of %s', async (_, body, status, code) => {
    const { port } = await startTestIngress({ accounts: (await upstream(echo)).url })
    const answer = await say(port, `POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n${body}`)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*"code":"${code}"`))
  })

  it('end a request whose announced chunk does not arrive', async () => {
    const accounts = await upstream((incoming) => incoming.resume())
    const { port } = await startTestIngress({ accounts: accounts.url }, { timeouts: { connectMs: 2000, idleMs: 300 } })
    const answer = await say(
      port,
      'POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n7fffffffffffffff\r\na',
    )
    expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":"RequestTimeout"/)
  })

  it('pass on every one of many small headers', async () => {
    const accounts = await upstream((request, response) => response.end(String(request.rawHeaders.length / 2)))
    accounts.server.maxHeadersCount = 0
    const { port } = await startTestIngress({ accounts: accounts.url })
    const answer = await say(port, `GET /accounts HTTP/1.1\r\nHost: d\r\n${'a:b\r\n'.repeat(2500)}Connection: close\r\n\r\n`)
    expect(Number(answer.split('\r\n\r\n')[1])).toBeGreaterThan(2500)
  })

  it('refuse use as a forward proxy', async () => {
    const { port } = await startTestIngress({})
    expect(await say(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')).toMatch(
      /^HTTP\/1.1 405 [\s\S]*"code":"MethodNotAllowed"/,
    )
  })
})
