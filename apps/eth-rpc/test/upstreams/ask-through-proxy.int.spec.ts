import { TRANSPORT_KINDS } from '@trestle/gateway/upstream/open-transport'
import { UpstreamClient } from '../../src/upstreams/upstream.client.js'
import { Anvils } from '../heads/anvils.js'
import { track, untilTrue } from '../heads/tracked.js'
import { ConnectProxy } from './connect-proxy.js'
import { ScriptedNode, says } from './scripted-node.js'

const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}'
const TIMEOUT_MS = 20_000

let proxy: ConnectProxy
beforeEach(async () => {
  proxy = await ConnectProxy.start()
})
afterEach(() => proxy.stop())

describe.each(TRANSPORT_KINDS)('over %s, through a proxy', (kind) => {
  let node: ScriptedNode
  let client: UpstreamClient
  beforeEach(async () => {
    node = await ScriptedNode.start(says('ab'.repeat(200_000)))
    client = new UpstreamClient({ name: 'node', url: node.url, archive: false, priority: 0, proxy: proxy.url }, kind)
  })
  afterEach(() => {
    client.close()
    node.stop()
  })

  it('asks a node, shows the proxy its credentials, and reuses the connection', async () => {
    for (let call = 0; call < 3; call++) expect((await ask()).length).toBeGreaterThan(400_000)
    const credentials = `Basic ${Buffer.from('us@er:pass').toString('base64')}`
    expect(proxy.opened[0]).toMatchObject({ authority: new URL(node.url).host, headers: { 'proxy-authorization': credentials } })
    // undici may not know yet that the first is free.
    expect(proxy.opened.length).toBeLessThanOrEqual(kind === 'http1' ? 1 : 2)
    expect(node.received[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('says that a node cannot be reached when the proxy refuses or is away', async () => {
    proxy.refusal = '407 Proxy Authentication Required'
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable', message: 'cannot be reached (PROXY_STATUS_407)' })
    proxy.stop()
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('says that a node cannot be reached where the proxy finds none, and asks it later', async () => {
    proxy.refusal = '502 Bad Gateway'
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
    proxy.refusal = undefined
    expect((await ask()).length).toBeGreaterThan(400_000)
  })

  function ask(): Promise<Buffer> {
    return client.send(BODY, { timeoutMs: TIMEOUT_MS })
  }
})

it('follows a node by WebSocket through a proxy', async () => {
  const anvils = await Anvils.start(1)
  await anvils.mine(2)
  const { url, webSocketUrl } = anvils.nodes[0]!
  const tracked = track([{ url, webSocketUrl, proxy: proxy.url }], { POLL_MS: 60_000 })
  await untilTrue(() => tracked.tracker.chain.head?.number === 2)
  // One tunnel for the calls, one for the subscription; heads come by the latter.
  await untilTrue(() => proxy.opened.length >= 2)
  await anvils.mine(1)
  await untilTrue(() => tracked.tracker.chain.head?.number === 3)
  await tracked.stop()
  await anvils.stop()
})
