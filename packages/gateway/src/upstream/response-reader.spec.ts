import fc from 'fast-check'
import { ResponseReader } from './response-reader.js'

const OK = 'HTTP/1.1 200 OK\r\n'

describe(ResponseReader, () => {
  it.each([
    ['a length', `${OK}Content-Length: 5\r\n\r\nhello`],
    ['a length between other headers', `${OK}date: today\r\ncontent-length:5 \r\nx:\r\n\r\nhello`],
    ['chunks', `${OK}Transfer-Encoding: Chunked\r\n\r\n2\r\nhe\r\n3;last=1\r\nllo\r\n0\r\n\r\n`],
    ['chunks and a trailer', `${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nchecksum: 1\r\n\r\n`],
    ['an interim response before it', `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${OK}content-length: 5\r\n\r\nhello`],
    ['no reason', 'HTTP/1.1 200\r\ncontent-length: 5\r\n\r\nhello'],
  ])('reads a body with %s, however it is split', (_, text) => {
    for (let size = 1; size <= text.length; size++) expect(heard(text, size)).toEqual(['200', 'hello', 'end'])
  })

  it('reads any body, in any chunks, split anywhere', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'binary-ascii' })), fc.boolean(), cuts, (pieces, isChunked, sizes) => {
        const body = pieces.join('')
        const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
        const text = isChunked
          ? `${OK}transfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
          : `${OK}content-length: ${body.length}\r\n\r\n${body}`
        expect(heard(text, ...sizes)).toEqual(['200', ...(body === '' ? [] : [body]), 'end'])
      }),
    )
  })

  it('refuses only for named reasons', () => {
    const parts = fc.constantFrom(
      'HTTP/1.1 200 OK',
      '\r\n',
      'content-length: 3',
      'transfer-encoding: chunked',
      ':',
      '3',
      'abc',
      '\0',
      ' ',
      '0',
    )
    fc.assert(
      fc.property(fc.array(parts), (pieces) => {
        try {
          heard(pieces.join(''))
        } catch (error) {
          expect(error).toMatchObject({ name: 'TransportFault', kind: 'malformed' })
        }
      }),
    )
  })

  it('reads a body that ends with the connection', () => {
    const reader = new ResponseReader()
    const told = listenTo(reader)
    reader.read(Buffer.from(`${OK}\r\nhello`))
    expect(reader.isDone).toBe(false)
    expect(reader.end()).toBe(true)
    expect(told).toEqual(['200', 'hello', 'end'])
  })

  it('is incomplete where the connection ends early', () => {
    const reader = new ResponseReader()
    listenTo(reader)
    reader.read(Buffer.from(`${OK}content-length: 6\r\n\r\nhello`))
    expect(reader.end()).toBe(false)
  })

  it.each([
    [`${OK}content-length: 0\r\n\r\n`, Number.POSITIVE_INFINITY],
    [`${OK}connection: Upgrade\r\nupgrade: h2c\r\ncontent-length: 0\r\n\r\n`, Number.POSITIVE_INFINITY],
    [`${OK}connection: keep-alive\r\nkeep-alive: timeout=5, max=100\r\ncontent-length: 0\r\n\r\n`, 5000],
    [`${OK}connection: Close\r\ncontent-length: 0\r\n\r\n`, 0],
    ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', 0],
    ['HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n', Number.POSITIVE_INFINITY],
  ])('reads from %j how long the connection is kept', (text, keptMs) => {
    const reader = new ResponseReader()
    listenTo(reader)
    reader.read(Buffer.from(text))
    expect(reader.keptMs).toBe(keptMs)
  })

  it('reads a head like the last one anew where anything in it differs', () => {
    const reader = new ResponseReader()
    const read = (text: string) => {
      const told = listenTo(reader)
      reader.read(Buffer.from(text))
      return [...told, reader.keptMs]
    }
    const five = `${OK}content-length: 5\r\n\r\nhello`
    const four = `${OK}content-length: 4\r\n\r\nhell`
    const closed = `${OK}content-length: 5\r\nconnection: close\r\n\r\nhello`
    expect([five, five, four, five, closed, five].map(read)).toEqual([
      ['200', 'hello', 'end', Number.POSITIVE_INFINITY],
      ['200', 'hello', 'end', Number.POSITIVE_INFINITY],
      ['200', 'hell', 'end', Number.POSITIVE_INFINITY],
      ['200', 'hello', 'end', Number.POSITIVE_INFINITY],
      ['200', 'hello', 'end', 0],
      ['200', 'hello', 'end', Number.POSITIVE_INFINITY],
    ])
    listenTo(reader)
    expect(() => reader.read(Buffer.from('HTTP/1.1 200 OK\r\na b\r\n\r\n'))).toThrow()
    expect(read(five)).toEqual(['200', 'hello', 'end', Number.POSITIVE_INFINITY])
  })

  it('trims only spaces and tabs around a value', () => {
    expect(heard(`${OK}content-length: \t5 \t\r\n\r\nhello`)).toEqual(['200', 'hello', 'end'])
    expect(() => heard(`${OK}content-length: 5\u000b\r\n\r\nhello`)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it.each([
    ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', '204'],
    ['a length of nothing', `${OK}content-length: 0\r\n\r\n`, '200'],
  ])('waits for no body after %s', (_, text, status) => {
    expect(heard(text)).toEqual([status, 'end'])
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['another protocol from now on', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a header of two lines', `${OK}a: b\r\n c: d\r\n\r\n`],
    ['space behind the name of a header', `${OK}content-length : 5\r\n\r\nhello`],
    ['two lengths', `${OK}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`],
    ['a length that is none', `${OK}content-length: +5\r\n\r\nhello`],
    ['a length and chunks', `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['another coding', `${OK}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a chunk of no length', `${OK}transfer-encoding: chunked\r\n\r\n-5\r\nhello\r\n`],
    ['a chunk longer than it said', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nhello\r\n`],
    ['more than the response', `${OK}content-length: 5\r\n\r\nhello${OK}`],
    ['a head without end', `${OK}${'a: b\r\n'.repeat(20_000)}`],
  ])('refuses %s', (_, text) => {
    expect(() => heard(text)).toThrow(expect.objectContaining({ name: 'TransportFault', kind: 'malformed' }))
  })

  it('refuses bytes without a request', () => {
    expect(() => new ResponseReader().read(Buffer.from(OK))).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it.each([
    ['HTTP/1.1', '', Number.POSITIVE_INFINITY],
    ['HTTP/1.1', 'connection: close\r\n', 0],
    ['HTTP/1.1', 'connection: keep-alive\r\nkeep-alive: timeout=5, max=100\r\n', 5000],
    ['HTTP/1.0', '', 0],
    ['HTTP/1.0', 'connection: Keep-Alive\r\n', Number.POSITIVE_INFINITY],
  ])('reads how long a connection is kept from %s with "%s"', (version, header, keptMs) => {
    const reader = new ResponseReader()
    listenTo(reader)
    reader.read(Buffer.from(`${version} 200 OK\r\n${header}content-length: 0\r\n\r\n`))
    expect(reader.keptMs).toBe(keptMs)
  })
})

/** What is told of a response that comes in pieces of these sizes, again and again. */
function heard(text: string, ...sizes: number[]): string[] {
  const reader = new ResponseReader()
  const told = listenTo(reader)
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const to = at + (sizes[turn % sizes.length] ?? text.length)
    reader.read(Buffer.from(text.slice(at, to)))
    at = to
  }
  return told
}

/** Status, body and end. */
function listenTo(reader: ResponseReader): string[] {
  const told: string[] = []
  let body = ''
  reader.expect({
    onHead: (status) => told.push(String(status)),
    onBody: (bytes) => {
      body += bytes.toString()
    },
    onEnd: () => told.push(...(body === '' ? [] : [body]), 'end'),
  })
  return told
}
