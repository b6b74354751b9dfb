import fc from 'fast-check'
import { client, closeAll, echo, openDoor, say, upstream } from './door.js'

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
    ['no HTTP at all', '\u0016\u0003\u0001 hello\r\n\r\n'],
  ])('is refused: %s', async (_, text) => {
    const accounts = await upstream(echo)
    const { port } = await openDoor({ accounts: accounts.url })
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
  ])('is refused in the middle of its body: %s', async (_, body) => {
    const accounts = await upstream(echo)
    const { port } = await openDoor({ accounts: accounts.url })
    const answer = await say(port, `POST /accounts HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n${body}`)
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"MalformedRequest"/)
  })

  it('never reaches a service as more requests than the door counted', async () => {
    const accounts = await upstream(echo)
    const { port } = await openDoor({ accounts: accounts.url })
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

describe('the limits', () => {
  it('refuse headers of more than 16 KiB', async () => {
    const { port } = await openDoor({})
    const { socket, hears, heard } = client(port)
    socket.write(`GET /accounts HTTP/1.1\r\nHost: d\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`)
    await hears('requestId')
    expect(heard()).toMatch(/^HTTP\/1.1 431 [\s\S]*"code":"HeadersTooLarge"/)
  })

  it('pass every one of many small headers on', async () => {
    const accounts = await upstream((request, response) => response.end(String(request.rawHeaders.length / 2)))
    accounts.server.maxHeadersCount = 0
    const { port } = await openDoor({ accounts: accounts.url })
    const answer = await say(port, `GET /accounts HTTP/1.1\r\nHost: d\r\n${'a:b\r\n'.repeat(2500)}Connection: close\r\n\r\n`)
    expect(Number(answer.split('\r\n\r\n')[1])).toBeGreaterThan(2500)
  })

  it('do not let anybody use the door as a forward proxy', async () => {
    const { port } = await openDoor({})
    expect(await say(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')).toMatch(
      /^HTTP\/1.1 405 [\s\S]*"code":"MethodNotAllowed"/,
    )
  })
})
