import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TRANSPORT_KINDS, type TransportKind } from '@trestle/gateway/upstream/open-transport'
import { untilTrue } from '../../test/heads/tracked.js'
import { TestTime } from '../../test/test-time.js'
import { breaksOff, closes, hangs, inTurn, type ReceivedCall, ScriptedNode, says, sends } from '../../test/upstreams/scripted-node.js'
import { PendingResponse, UpstreamClient } from './upstream.client.js'

const TIMEOUT_MS = 20_000
const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'

describe.each(TRANSPORT_KINDS)(`${UpstreamClient.name} over %s`, (kind) => {
  let node: ScriptedNode
  let client: UpstreamClient

  beforeEach(async () => {
    node = await ScriptedNode.start()
    client = clientOf(kind, node.url)
  })

  afterEach(() => {
    client.close()
    node.stop()
  })

  it('returns the bytes unchanged', async () => {
    node.script = says('0x1b4')
    expect((await send()).toString()).toBe('{"jsonrpc":"2.0","id":1,"result":"0x1b4"}')
    expect(node.received[0]).toMatchObject({
      method: 'eth_blockNumber',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    })
  })

  it('joins an answer of many parts', async () => {
    const result = 'ab'.repeat(1_000_000)
    node.script = says(result)
    expect(JSON.parse((await send()).toString()).result).toBe(result)
  })

  it('joins an answer of unknown length', async () => {
    const parts = Array.from({ length: 3_000 }, (_, i) => `${i},`.repeat(1 + (i % 30)))
    node.script = (_, response) => {
      for (const part of parts) response.write(part)
      response.end()
    }
    expect((await send()).toString()).toBe(parts.join(''))
  })

  it('sends its credentials and the key in its path to the node only', async () => {
    client.close()
    client = clientOf(kind, node.url.replace('http://', 'http://us%40er:p%3Ass@').concat('v3/key?x=1'))
    await send()
    expect(node.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('us@er:p:ss').toString('base64')}`)
    expect(node.received[0]?.url).toBe('/v3/key?x=1')
  })

  it.each([
    ['a dead port', 'unreachable', undefined],
    ['silence', 'timeout', hangs()],
    ['drops that never end', 'timeout', dripping],
    ['half an answer', 'reset', breaksOff()],
    ['a closed connection', 'reset', closes()],
    ['too much', 'too-large', says('ab'.repeat(100_000))],
    ['429', 'limited', sends('slow down', 429, { 'retry-after': '7' })],
    ['502', 'status', sends('<html>Bad gateway</html>', 502)],
    ['500 with a page', 'status', sends('<html>Oops</html>', 500, { 'content-type': 'text/html' })],
    ['401', 'status', sends('{"error":"key"}', 401, { 'content-type': 'application/json' })],
    ['a redirect', 'status', sends('', 302, { location: 'http://elsewhere' })],
  ] as const)('tells %s as %s, and not whom it asked', async (_, kind, script) => {
    if (script) node.script = script
    else node.stop()
    const failing = client.send(BODY, { timeoutMs: kind === 'timeout' ? 300 : TIMEOUT_MS, maxBytes: 100_000 })
    await expect(failing).rejects.toMatchObject({ name: 'UpstreamFault', kind })
    await expect(failing).rejects.toThrow(expect.objectContaining({ message: expect.not.stringContaining('127.0.0.1') }))
  })

  it('reports the pause that a node asks for', async () => {
    node.script = sends('', 429, { 'retry-after': '7' })
    await expect(send()).rejects.toMatchObject({ retryAfterMs: 7000 })
  })

  it('does not wait for the end of a useless response', async () => {
    const closed = Promise.withResolvers<void>()
    node.script = (_, response) => {
      response.on('close', closed.resolve)
      response.writeHead(429).write('slow')
    }
    await expect(send()).rejects.toMatchObject({ kind: 'limited' })
    await closed.promise
  })

  it('accepts the JSON of a 400 as an answer', async () => {
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}'
    node.script = sends(error, 400, { 'content-type': 'application/json; charset=utf-8' })
    expect((await send()).toString()).toBe(error)
  })

  it('aborts the request when no caller waits', async () => {
    const received = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    node.script = (_, response) => {
      response.on('close', closed.resolve)
      received.resolve()
    }
    const response = open()
    await received.promise
    response.abort()
    await expect(response.body).rejects.toMatchObject({ kind: 'aborted' })
    await closed.promise
    const aborted = new PendingResponse({ timeoutMs: TIMEOUT_MS, maxBytes: 1000 })
    aborted.abort()
    await expect(aborted.body).rejects.toMatchObject({ kind: 'aborted' })
    client.transport.send(client.head, BODY, aborted)
    node.script = says('0x1')
    await send()
    expect(node.received).toHaveLength(2)
  })

  it('keeps the connection for the next request after the answer', async () => {
    node.script = inTurn(says('0x1'), says('0x2', 50))
    const first = open()
    await first.body
    const second = send()
    await untilTrue(() => node.received.length === 2)
    first.abort()
    expect((await second).toString()).toContain('0x2')
  })

  it('fails waiting requests at once when the node is down', async () => {
    node.script = hangs()
    const asked = Array.from({ length: 200 }, send)
    await untilTrue(() => node.received.length === 128)
    node.stop()
    const kinds = await Promise.all(asked.map((each) => each.catch(({ kind }: { kind: string }) => kind)))
    expect(kinds.filter((kind) => kind === 'reset')).toHaveLength(128)
    expect(kinds.filter((kind) => kind === 'unreachable')).toHaveLength(72)
  })

  // undici fails whoever waits as soon as one connection is refused.
  if (kind === 'http1')
    it('waits for a busy connection where no other can be opened, without retrying constantly', async () => {
      const [first, busy] = [Promise.withResolvers<ServerResponse>(), Promise.withResolvers<ServerResponse>()]
      node.script = inTurn(
        (_, response) => first.resolve(response),
        (_, response) => busy.resolve(response),
        says('0x3'),
      )
      const attempts = countConnections()
      const answered = send()
      const response = await first.promise
      node.letNobodyIn()
      await expect(client.send(BODY, { timeoutMs: 300 })).rejects.toMatchObject({ kind: 'timeout' })
      const waiting = [send(), send()]
      response.end('"0x1"')
      expect((await answered).toString()).toBe('"0x1"')
      ;(await busy.promise).end('"0x2"')
      expect((await Promise.all(waiting)).map(String)).toEqual(['"0x2"', expect.stringContaining('0x3')])
      expect(attempts()).toBeLessThan(20)
    })

  it('does not queue a call behind a body that the node has stopped reading', async () => {
    // Answers as soon as it hears anything, and reads no more of that.
    const received: Socket[] = []
    const curt = createServer((socket) => {
      received.push(socket)
      socket.once('data', () => socket.pause().write('HTTP/1.1 429 Enough\r\ncontent-length: 0\r\n\r\n'))
    }).listen(0, '127.0.0.1')
    await once(curt, 'listening')
    const asking = clientOf(kind, `http://127.0.0.1:${(curt.address() as AddressInfo).port}/`)
    const large = `{"method":"x","params":["${'ab'.repeat(8_000_000)}"]}`
    await expect(asking.send(large, { timeoutMs: TIMEOUT_MS })).rejects.toMatchObject({ kind: 'limited' })
    await expect(asking.send(BODY, { timeoutMs: TIMEOUT_MS })).rejects.toMatchObject({ kind: 'limited' })
    expect(received).toHaveLength(2)
    asking.close()
    curt.close()
  })

  it('sends non-ASCII text as UTF-8', async () => {
    await client.send('{"method":"ünïcode","params":[]}', { timeoutMs: TIMEOUT_MS })
    expect(node.received[0]?.method).toBe('ünïcode')
  })

  it('sends nothing once closed', async () => {
    client.close()
    await expect(send()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('works again after all these failures', async () => {
    const time = new TestTime()
    node.script = inTurn(breaksOff(), hangs(), sends('', 503), says('0x2'))
    for (const kind of ['reset', 'timeout', 'status']) {
      const failing = expect(send()).rejects.toMatchObject({ name: 'UpstreamFault', kind })
      if (kind === 'timeout') {
        await untilTrue(() => node.received.length === 2)
        time.pass(TIMEOUT_MS)
      }
      await failing
    }
    expect((await send()).toString()).toContain('0x2')
    time.end()
  })

  it('matches each of many concurrent calls with its answer, in any order', async () => {
    node.script = ({ params }, response) => void setTimeout(() => response.end(String(params[0])), Math.random() * 20)
    const asked = Array.from({ length: 300 }, (_, i) => client.send(`{"id":1,"method":"x","params":[${i}]}`, { timeoutMs: TIMEOUT_MS }))
    expect((await Promise.all(asked)).map(String)).toEqual(asked.map((_, i) => String(i)))
  })

  /** How many connections this process has tried to open since. */
  function countConnections(): () => number {
    let count = 0
    const onSocket = () => {
      count++
    }
    subscribe('net.client.socket', onSocket)
    return () => {
      unsubscribe('net.client.socket', onSocket)
      return count
    }
  }

  function open(): PendingResponse {
    const response = new PendingResponse({ timeoutMs: TIMEOUT_MS, maxBytes: 1000 })
    client.transport.send(client.head, BODY, response)
    return response
  }

  function send(): Promise<Buffer> {
    return client.send(BODY, { timeoutMs: TIMEOUT_MS })
  }
})

function clientOf(kind: TransportKind, url: string): UpstreamClient {
  return new UpstreamClient({ name: 'node', url, archive: false, priority: 0 }, kind)
}

function dripping(_: ReceivedCall, response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}
