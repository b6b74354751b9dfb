import type { ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { TRANSPORT_KINDS } from '@trestle/gateway/upstream/open-transport'
import { ScriptedNode, says } from '../../test/upstreams/scripted-node.js'
import { UpstreamClient } from './upstream.client.js'

const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}'
const ANSWER = `{"jsonrpc":"2.0","id":1,"result":"${'ab'.repeat(50_000)}"}`

describe.each(TRANSPORT_KINDS)('compressed answers over %s', (kind) => {
  let node: ScriptedNode
  let client: UpstreamClient
  beforeEach(async () => {
    node = await ScriptedNode.start()
    client = clientOf(true)
  })
  afterEach(() => {
    client.close()
    node.stop()
  })

  it('are asked for only where the configuration says so', async () => {
    await ask()
    client.close()
    client = clientOf(undefined)
    await ask()
    expect(node.received.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip, br', 'identity'])
  })

  it.each([
    ['gzip', gzipSync(ANSWER)],
    ['BR', brotliCompressSync(ANSWER)],
    ['identity', Buffer.from(ANSWER)],
  ])('in %s are read', async (coding, body) => {
    node.script = (_, response) => sendCoded(response, coding, body)
    expect((await ask()).toString()).toBe(ANSWER)
  })

  it('may come as they are', async () => {
    node.script = says('0x1')
    expect((await ask()).toString()).toContain('0x1')
  })

  it.each([
    ['is not in its coding', 'gzip', Buffer.from(ANSWER), 'malformed'],
    ['was cut off', 'gzip', gzipSync(ANSWER).subarray(0, 50), 'malformed'],
    ['is in another coding', 'zstd', Buffer.from(ANSWER), 'malformed'],
    ['becomes too large', 'gzip', gzipSync(Buffer.alloc(2_000_000)), 'too-large'],
    ['becomes too large, too', 'br', brotliCompressSync(Buffer.alloc(2_000_000)), 'too-large'],
  ])('are refused where the body %s', async (_, coding, body, fault) => {
    node.script = (__, response) => sendCoded(response, coding, body)
    await expect(ask()).rejects.toMatchObject({ name: 'UpstreamFault', kind: fault })
    node.script = says('0x1')
    expect((await ask()).toString()).toContain('0x1')
  })

  function ask(): Promise<Buffer> {
    return client.send(BODY, { timeoutMs: 20_000, maxBytes: 1_000_000 })
  }

  function clientOf(compression: true | undefined): UpstreamClient {
    return new UpstreamClient({ name: 'node', url: node.url, archive: false, priority: 0, compression }, kind)
  }
})

function sendCoded(response: ServerResponse, coding: string, body: Buffer): void {
  response.writeHead(200, { 'content-encoding': coding }).end(body)
}
