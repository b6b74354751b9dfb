import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import fc from 'fast-check'
import { answerHeaders, endToEnd, hasBody, requestHeaders } from './hop-headers.js'

const HOP_BY_HOP = [
  'Connection',
  'Keep-Alive',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'Proxy-Connection',
  'Proxy-Authorization',
  'Proxy-Authenticate',
]

describe(endToEnd, () => {
  it('removes hop-by-hop headers and those that Connection names, and keeps the others in order', () => {
    const letter = fc.constantFrom(...'abcXYZ-')
    const name = fc.string({ unit: letter, minLength: 1, maxLength: 6 }).filter((text) => !HOP_BY_HOP.some((hop) => same(hop, text)))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.oneof(name, fc.constantFrom(...HOP_BY_HOP.slice(1))), fc.string())),
        fc.array(fc.array(name, { maxLength: 3 }), { maxLength: 2 }),
        (headers, connections) => {
          const named = connections.flat().map((option) => option.toLowerCase())
          const lines = [...headers, ...connections.map((options) => ['connection', options.join(' ,\t')] as [string, string])]
          const expected = lines.filter(([header]) => !HOP_BY_HOP.some((hop) => same(hop, header)) && !named.includes(header.toLowerCase()))
          expect(endToEnd(lines.flat())).toEqual(expected.flat())
        },
      ),
    )
  })

  it('keeps repeated headers apart', () => {
    expect(endToEnd(['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])).toEqual(['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
  })
})

describe(requestHeaders, () => {
  it('adds the client, and drops what an untrusted peer claims', () => {
    const given = [
      'Host',
      'door',
      'X-Forwarded-For',
      '6.6.6.6',
      'X-Forwarded-Proto',
      'https',
      'Forwarded',
      'for=6.6.6.6',
      'X-Real-IP',
      '6.6.6.6',
    ]
    expect(sent(given)).toEqual({
      host: 'door',
      'x-request-id': 'id',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'door',
    })
  })

  it('appends to what a trusted proxy says', () => {
    const given = ['Host', 'inside', 'X-Forwarded-For', '203.0.113.9', 'X-Forwarded-Proto', 'https', 'X-Forwarded-Host', 'trestle.example']
    expect(sent(given, { trusted: '192.0.2.0/24' })).toMatchObject({
      host: 'inside',
      'x-forwarded-for': '203.0.113.9, 192.0.2.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'trestle.example',
    })
  })

  it.each(['Host', 'X-Forwarded-For', 'Content-Length', 'X-Request-Id'])('does not let Connection remove %s', (name) => {
    const headers = sent(['Host', 'door', 'Content-Length', '3', 'Connection', name], { method: 'POST' })
    expect(headers).toMatchObject({ host: 'door', 'content-length': '3', 'x-forwarded-for': '192.0.2.1', 'x-request-id': 'id' })
  })

  it.each([
    ['POST', [], { 'content-length': '0' }],
    ['GET', ['Transfer-Encoding', 'chunked'], { 'transfer-encoding': 'chunked' }],
    ['DELETE', ['Content-Length', '0'], { 'content-length': '0' }],
  ])('delimits the body of a %s', (method, raw, framing) => {
    expect(sent(['Host', 'door', ...raw], { method })).toMatchObject(framing)
  })

  it('asks for a WebSocket and nothing else', () => {
    const headers = sent(['Host', 'door', 'Connection', 'keep-alive, Upgrade', 'Upgrade', 'WebSocket', 'Sec-WebSocket-Key', 'k'], {
      upgrade: true,
    })
    expect(headers).toMatchObject({ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'k' })
  })
})

describe(answerHeaders, () => {
  it('echoes the request id once', () => {
    expect(answerHeaders(['X-Request-ID', 'theirs', 'ETag', 'x'], 'ours')).toEqual(['ETag', 'x', 'X-Request-Id', 'ours'])
  })
})

describe(hasBody, () => {
  it.each([
    [{}, false],
    [{ 'content-length': '0' }, false],
    [{ 'content-length': '1' }, true],
    [{ 'transfer-encoding': 'chunked' }, true],
  ])('of %j is %s', (headers, expected) => {
    expect(hasBody({ headers })).toBe(expected)
  })
})

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function sent(rawHeaders: string[], { method = 'GET', trusted = '', upgrade = false } = {}): Record<string, string> {
  const list = new BlockList()
  if (trusted) list.addSubnet(trusted.split('/')[0]!, Number(trusted.split('/')[1]), 'ipv4')
  const headers = Object.fromEntries(pairs(rawHeaders))
  const incoming = { method, headers, rawHeaders, socket: { remoteAddress: '::ffff:192.0.2.1' } } as unknown as IncomingMessage
  return Object.fromEntries(pairs(requestHeaders(incoming, { requestId: 'id', trusted: list, upgrade })))
}

function pairs(raw: string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1]!] as [string, string]] : []))
}
