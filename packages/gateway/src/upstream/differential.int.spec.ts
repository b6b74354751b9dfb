import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { RawServer } from '../../test/raw-server.js'
import { type RecordedResponse, receiveAll } from '../../test/recorder.js'
import { openTransport, TRANSPORT_KINDS, type TransportKind } from './open-transport.js'
import { RequestHead } from './request-head.js'

const HEAD = new RequestHead('POST', '/', ['content-type', 'application/json'])
const OK = 'HTTP/1.1 200 OK\r\n'
const LENGTH = 'content-length: 2\r\n\r\nhi'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`
const END = '0\r\n\r\n'

/** Our own client beside undici's: what ours takes for a response undici takes for the same one. */
describe('the two transports read the same bytes', () => {
  let server: RawServer
  let parts: readonly string[] = []

  beforeAll(async () => {
    server = await RawServer.start(async (socket) => {
      for (const part of parts) {
        socket.write(part, 'latin1')
        await turn()
      }
      socket.end()
    })
  })

  afterAll(() => server.stop())

  it.each([
    `${OK}${LENGTH}`,
    `${OK}Content-Length: 0002\r\nx:\r\n\r\nhi`,
    `${OK}a: \xe4\xf6\r\nA: 2\r\n__proto__: x\r\n${LENGTH}`,
    `${CHUNKED}2\r\nhi\r\n004;a=b;c="d e"\r\n you\r\n0\r\nchecksum: 1\r\n\r\n`,
    `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${OK}${LENGTH}`,
    `HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n`,
    'HTTP/1.1 304 Not Modified\r\ncontent-length: 2\r\n\r\n',
    `${OK}connection: close\r\n\r\nhi`,
    `HTTP/1.0 500\r\n${LENGTH}`,
    `${OK}${LENGTH}${OK}`,
  ])('and accept %j alike, wherever it is split', async (text) => {
    const expected = await send('undici', text)
    expect(expected).toMatchObject({ status: expect.any(Number) })
    for (let at = 0; at < text.length; at++) expect([at, await send('http1', text.slice(0, at), text.slice(at))]).toEqual([at, expected])
    const middle = Math.floor(text.length / 2)
    expect(await send('undici', text.slice(0, middle), text.slice(middle))).toEqual(expected)
  })

  it.each([
    ['a bare LF for every line end', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nhi'],
    ['a bare LF after a header', `${OK}a: b\n${LENGTH}`],
    ['a bare CR in a value', `${OK}a: b\rc\r\n${LENGTH}`],
    ['NUL in a value', `${OK}a: b\0c\r\n${LENGTH}`],
    ['another control character in a value', `${OK}a: b\x01c\r\n${LENGTH}`],
    ['DEL in a value', `${OK}a: b\x7fc\r\n${LENGTH}`],
    ['NUL in a name', `${OK}a\0: b\r\n${LENGTH}`],
    ['a control character in a name', `${OK}a\x01: b\r\n${LENGTH}`],
    ['a name that is no ASCII', `${OK}\xe4: b\r\n${LENGTH}`],
    ['no name', `${OK}: b\r\n${LENGTH}`],
    ['white space after a name', `${OK}a : b\r\n${LENGTH}`],
    ['a folded header', `${OK}a: b\r\n c\r\n${LENGTH}`],
    ['white space before the first header', `${OK} a: b\r\n${LENGTH}`],
    ['a header without a colon', `${OK}abc\r\n${LENGTH}`],
    ['the same length twice', `${OK}content-length: 2\r\n${LENGTH}`],
    ['two lengths', `${OK}content-length: 3\r\n${LENGTH}`],
    ['a list of lengths', `${OK}content-length: 2, 2\r\n\r\nhi`],
    ['a length and chunks', `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n${END}`],
    ['chunks and a length', `${OK}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n${END}`],
    ['a signed length', `${OK}content-length: +2\r\n\r\nhi`],
    ['an empty length', `${OK}content-length:\r\n\r\nhi`],
    ['a length beyond counting', `${OK}content-length: 99999999999999999999\r\n\r\nhi`],
    ['a negative chunk', `${CHUNKED}-2\r\nhi\r\n${END}`],
    ['a chunk beyond counting', `${CHUNKED}fffffffffffffffff\r\nhi\r\n${END}`],
    ['a chunk without a size', `${CHUNKED}\r\nhi\r\n${END}`],
    ['a chunk in hexadecimal with a prefix', `${CHUNKED}0x2\r\nhi\r\n${END}`],
    ['a blank after the size of a chunk', `${CHUNKED}2 \r\nhi\r\n${END}`],
    ['a bare LF after the size of a chunk', `${CHUNKED}2\nhi\r\n${END}`],
    ['an empty chunk extension', `${CHUNKED}2;\r\nhi\r\n${END}`],
    ['NUL in a chunk extension', `${CHUNKED}2;a=\0\r\nhi\r\n${END}`],
    ['a chunk longer than its size', `${CHUNKED}2\r\nhello\r\n${END}`],
    ['a length in the trailer', `${CHUNKED}2\r\nhi\r\n0\r\ncontent-length: 9\r\n\r\n`],
    ['a trailer without a colon', `${CHUNKED}2\r\nhi\r\n0\r\nabc\r\n\r\n`],
    ['an interim response with a broken header', `HTTP/1.1 103 Early Hints\r\na b\r\n\r\n${OK}${LENGTH}`],
    ['another protocol', `HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n${OK}${LENGTH}`],
    ['a status under 100', `HTTP/1.1 099 No\r\n${LENGTH}`],
    ['an unknown version', `HTTP/1.2 200 OK\r\n${LENGTH}`],
    ['no bytes at all', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\ncont'],
    ['half a body', `${OK}content-length: 3\r\n\r\nhi`],
    ['chunks without an end', `${CHUNKED}2\r\nhi\r\n`],
  ])('and refuse %s', async (_, text) => {
    const cuts = [[text], [text.slice(0, text.length / 2), text.slice(text.length / 2)], [...text]]
    for (const kind of TRANSPORT_KINDS) for (const cut of cuts) expect([kind, await send(kind, ...cut)]).toEqual([kind, 'refused'])
  })

  it.each([
    ['codings beside chunked: we ask for none (RFC 9112 section 6.1)', `${OK}transfer-encoding: gzip, chunked\r\n\r\n${END}`],
    [
      'chunked twice: nobody may apply it twice (section 6.1)',
      `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n${END}`,
    ],
    ['a coding that is not chunked: the body has no sure end (section 6.3)', `${OK}transfer-encoding: identity\r\n\r\nhi`],
    ['a control character in a reason (section 4)', `HTTP/1.1 200 O\x01K\r\n${LENGTH}`],
    ['NUL in a reason (section 4)', `HTTP/1.1 200 O\0K\r\n${LENGTH}`],
    ['HTTP/2.0, which is never written so (RFC 9113 section 3)', `HTTP/2.0 200 OK\r\n${LENGTH}`],
    ['an empty line before the status line: only servers may skip one (section 2.2)', `\r\n${OK}${LENGTH}`],
    ['a coding in the trailer (RFC 9110 section 6.5.1)', `${CHUNKED}2\r\nhi\r\n0\r\ntransfer-encoding: chunked\r\n\r\n`],
  ])('but only ours refuses %s', async (_, text) => {
    expect(await send('http1', text)).toBe('refused')
    expect(await send('undici', text)).toMatchObject({ status: 200 })
  })

  it.each([
    ['100 Continue: a client must be able to parse it unasked (RFC 9110 section 15.2)', `HTTP/1.1 100 Continue\r\n\r\n${OK}${LENGTH}`],
    ['blanks after a length: they are no part of a value (RFC 9110 section 5.5)', `${OK}content-length: \t2 \t\r\n\r\nhi`],
  ])('but only undici refuses %s', async (_, text) => {
    expect(await send('http1', text)).toEqual({ status: 200, headers: { 'content-length': '2' }, body: 'hi' })
    expect(await send('undici', text)).toBe('refused')
  })

  it('and agree on whatever ours accepts of any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(RESPONSES, CUTS, async (text, cuts) => {
        const ours = await send('http1', ...cutUp(text, cuts))
        if (ours !== 'refused') expect(await send('undici', text)).toEqual(ours)
      }),
      { numRuns: 500 },
    )
  })

  async function send(kind: TransportKind, ...bytes: readonly string[]): Promise<RecordedResponse | 'refused'> {
    parts = bytes
    const transport = openTransport(kind, { url: server.url, maxConnections: 1, connectTimeoutMs: 5_000, keepAliveMs: 1_000 })
    const received = await receiveAll(transport, HEAD, '{}').catch(() => 'refused' as const)
    transport.destroy()
    return received
  }
})

const NOISE = fc.constantFrom('\0', '\x01', '\r', '\n', '\r\n', ' ', '\t', ':', ';', ',', '\x7f', '\xff', '0', '2', 'a')
const STATUS_LINES = fc.constantFrom(
  'HTTP/1.1 200 OK',
  'HTTP/1.1 200',
  'HTTP/1.0 500 No',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 304 x',
  'HTTP/1.1 429 ',
)
const FIELDS = fc.constantFrom(
  'a: b',
  'A:  c d',
  'content-length: 2',
  'Content-Length: 0',
  'content-length: 12',
  'transfer-encoding: chunked',
  'Transfer-Encoding: Chunked',
  'transfer-encoding: gzip',
  'connection: close',
  'connection: keep-alive',
  'keep-alive: timeout=5',
  'x: "\xe4"',
)
const BODIES = fc.constantFrom(
  '',
  'hi',
  '2\r\nhi\r\n0\r\n\r\n',
  '1;a\r\nh\r\n0\r\nb: c\r\n\r\n',
  '0\r\n\r\n',
  'hi\r\n',
  'HTTP/1.1 200 OK\r\n',
)
const INTERIM = fc.constantFrom('', '', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n')
const CUTS = fc.array(fc.nat(200), { maxLength: 4 })

/** Responses, and what is nearly one: a little noise anywhere. */
const RESPONSES = fc
  .record({
    interim: INTERIM,
    status: STATUS_LINES,
    fields: fc.array(FIELDS, { maxLength: 3 }),
    body: BODIES,
    noise: fc.array(fc.tuple(fc.nat(200), NOISE), { maxLength: 1 }),
  })
  .map(({ interim, status, fields, body, noise }) => {
    const text = `${interim}${[status, ...fields].join('\r\n')}\r\n\r\n${body}`
    return noise.reduce((noisy, [at, character]) => noisy.slice(0, at) + character + noisy.slice(at), text)
  })
  // Listed above: blanks after a length.
  .filter((text) => !/content-length:[^\r]*[ \t]\r/i.test(text))

function cutUp(text: string, cuts: readonly number[]): string[] {
  const ends = [...cuts, text.length].filter((cut) => cut <= text.length).sort((a, b) => a - b)
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end))
}
