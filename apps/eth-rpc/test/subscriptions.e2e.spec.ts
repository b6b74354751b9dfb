import { once } from 'node:events'
import { connect } from 'node:net'
import { jest } from '@jest/globals'
import { eventually } from '@trestle/testing/eventually'
import type { FaultyUpstream } from '@trestle/testing/faulty-upstream'
import { LiveProjects } from '../src/projects/live-projects.engine.js'
import { type FaultyStage, primaryOf, startFaultyStage, UNLIMITED } from './faulty-stage.js'
import { resultOfRpc } from './json-rpc.js'
import { callManagement } from './management.js'
import { SocketCaller } from './socket-caller.js'
import { type Head, type Log, Witness } from './witness.js'

const CLIENTS = 20

let stage: FaultyStage
let witness: Witness
let socket: SocketCaller
beforeAll(async () => {
  stage = await startFaultyStage()
  witness = new Witness(stage)
  await stage.mine(2)
})
afterAll(async () => {
  socket.close()
  await stage.stop()
})
beforeEach(async () => {
  socket = await SocketCaller.open(stage.url)
})
afterEach(async () => {
  socket.close()
  await stage.heal()
})

describe('over a WebSocket', () => {
  // First: nodes that come back are subscribed to again.
  it('keeps one upstream subscription for all clients, and fetches the logs of a block once', async () => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => SocketCaller.open(stage.url)))
    const reported = await Promise.all(
      clients.map(async (client) => [
        await client.subscribe<Head>('newHeads'),
        await client.subscribe<Log>('logs', {}),
        await client.subscribe('newPendingTransactions'),
      ]),
    )
    await stage.transfer()
    await stage.mine()
    await eventually(() => reported.every(([heads, logs]) => heads!.length > 0 && logs!.length > 0) || undefined, 'all are reported')
    for (const upstream of stage.upstreams) upstream.forget()
    await stage.transfer()
    const { hash } = await stage.mine()
    await eventually(() => reported.every(([, logs]) => (logs!.at(-1) as Log).blockHash === hash) || undefined, 'all are reported again')
    const asked = (method: string) => stage.upstreams.reduce((sum, upstream) => sum + upstream.asked(method), 0)
    expect(asked('eth_getLogs')).toBe(1)
    expect(asked('eth_subscribe')).toBe(0)
    for (const client of clients) client.close()
  })

  it('reports heads and logs once and in order, and what a reorganization removes', async () => {
    const heads = await socket.subscribe<Head>('newHeads')
    const logs = await socket.subscribe<Log>('logs', { address: stage.token })
    await settle(heads)
    for (let depth = 1; depth <= 10; depth++) {
      await witness.makeBlocks(depth)
      await stage.anvils.reorg(depth, { lose: depth % 2 === 0 })
      await settle(heads)
    }
    const { hash } = await settle(heads)
    await eventually(() => witness.isWhole(logs), 'all logs are reported')
    expect(heads.at(-1)?.hash).toBe(hash)
    expectChain(heads)
    await witness.expectLogs(logs)
    expect(logs.filter(({ removed }) => removed).length).toBeGreaterThan(40)
  })

  it('continues when one primary upstream after another dies, with the logs in between', async () => {
    const heads = await socket.subscribe<Head>('newHeads')
    const logs = await socket.subscribe<Log>('logs', { address: stage.token })
    await settle(heads)
    for (let turn = 0; turn < 3; turn++) {
      await witness.makeBlocks(2)
      await settle(heads)
      const primary = stage.upstreams[await primaryOf(stage.gateway.service.internalUrl)] as FaultyUpstream
      await primary.fail({ kind: 'dead' })
      await stage.anvils.reorg(2)
      await witness.makeBlocks(1)
      await settle(heads)
      await stage.heal()
    }
    await eventually(() => witness.isWhole(logs), 'all logs are reported')
    expectChain(heads)
    await witness.expectLogs(logs)
    expect(logs.filter(({ removed }) => removed).length).toBeGreaterThanOrEqual(6)
  })

  it('reports pending transactions once, whichever node dies', async () => {
    const pending = await socket.subscribe<string>('newPendingTransactions')
    const sent: string[] = []
    for (const upstream of stage.upstreams) {
      await upstream.fail({ kind: 'dead' })
      // Nobody tells afterwards what came while nobody listened.
      await eventually(async () => {
        const hash = await resultOfRpc<string>(stage.url, 'eth_sendRawTransaction', await stage.sign())
        sent.push(hash)
        await stage.mine()
        return pending.includes(hash) || undefined
      }, 'pending transactions are reported again')
      await stage.heal()
    }
    expect(new Set(pending).size).toBe(pending.length)
    expect(sent.filter((hash) => pending.includes(hash)).length).toBeGreaterThanOrEqual(3)
  })

  it('accepts a subscription to syncing, and stays silent while nothing changes', async () => {
    const reported = await socket.subscribe('syncing')
    await stage.mine()
    expect(reported).toEqual([])
  })

  it('disconnects clients that do not read, and keeps nothing for them', async () => {
    const { hostname, port, pathname } = new URL(stage.url)
    const deaf = connect(Number(port), hostname)
    const lines = [`GET ${pathname} HTTP/1.1`, `Host: ${hostname}`, 'Connection: Upgrade', 'Upgrade: websocket']
    deaf.write([...lines, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''].join('\r\n'))
    await once(deaf, 'data')
    deaf.pause()
    const closed = new Promise((resolve) => deaf.once('close', resolve))
    deaf.on('error', () => {})
    const { number } = await stage.mine()
    const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [number, true] })
    const before = process.memoryUsage().rss
    let asked = 0
    while (!deaf.destroyed && asked < 100_000) {
      asked++
      if (!deaf.write(frameOf(question))) await Promise.race([new Promise((resolve) => deaf.once('drain', resolve)), closed])
    }
    expect(deaf.destroyed).toBe(true)
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6)
    expect(await resultOfRpc(stage.url, 'eth_chainId')).toBe('0x7a69')
  })

  it('closes when the project is deleted', async () => {
    const readAgain = jest.spyOn(LiveProjects.prototype, 'readAgain').mockResolvedValue()
    const url = await stage.gateway.project(UNLIMITED)
    const own = await SocketCaller.open(url)
    await own.subscribe('newHeads')
    await callManagement(stage.gateway.service, 'DELETE', `/projects/${url.split('/').at(-1)}`, { token: stage.gateway.token })
    expect(await own.closed).toBe(1008)
    readAgain.mockRestore()
  })
})

/** Until the newest head is reported. */
async function settle(heads: readonly Head[]): Promise<Head> {
  if (heads.length === 0) await stage.mine()
  const head = await witness.newest()
  await eventually(() => heads.at(-1)?.hash === head.hash || undefined, 'the newest head is reported')
  return head
}

/** Each follows on one that was reported before it, and none is reported twice. */
function expectChain(heads: readonly Head[]): void {
  expect(new Set(heads.map(({ hash }) => hash)).size).toBe(heads.length)
  const known = new Set([heads[0]?.parentHash])
  for (const { hash, parentHash } of heads) {
    expect(known).toContain(parentHash)
    known.add(hash)
  }
}

/** A message as a client sends it (RFC 6455 section 5.2), masked with zeros. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text)
  const header = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0])
  return payload.length < 126
    ? Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
    : Buffer.concat([header, payload])
}
