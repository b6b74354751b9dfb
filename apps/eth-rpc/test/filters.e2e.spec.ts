import type { RunningService } from '@trestle/runtime/boot-service'
import { eventually } from '@trestle/testing/eventually'
import type { FaultyUpstream } from '@trestle/testing/faulty-upstream'
import { type FaultyStage, primaryOf, startFaultyStage } from './faulty-stage.js'
import { callRpc, resultOfRpc } from './json-rpc.js'
import { type Head, type Log, Witness } from './witness.js'

let stage: FaultyStage
let replica: RunningService
let witness: Witness
beforeAll(async () => {
  stage = await startFaultyStage()
  witness = new Witness(stage)
  replica = await stage.gateway.replica()
  await stage.mine(2)
})
afterAll(async () => {
  await replica.stop()
  await stage.stop()
})
afterEach(() => stage.heal())

describe('filters', () => {
  it('report logs and blocks once and in order, and what a reorganization removes, whichever replica is asked', async () => {
    const filters = await newFilters()
    const received = { logs: [] as Log[], blocks: [] as string[] }
    for (let depth = 1; depth <= 10; depth++) {
      await witness.makeBlocks(depth)
      await poll(filters, received)
      await stage.anvils.reorg(depth, { lose: depth % 2 === 0 })
      await poll(filters, received)
    }
    await pollAll(filters, received)
    await witness.expectLogs(received.logs)
    expect(received.logs.filter(({ removed }) => removed).length).toBeGreaterThan(40)
    expect(new Set(received.blocks).size).toBe(received.blocks.length)
    expect(received.blocks.at(-1)).toBe((await witness.newest()).hash)
  })

  it('report what was disconnected while a node died', async () => {
    const filters = await newFilters()
    const received = { logs: [] as Log[], blocks: [] as string[] }
    await witness.makeBlocks(3)
    await poll(filters, received)
    const primary = stage.upstreams[await primaryOf(stage.gateway.service.internalUrl)] as FaultyUpstream
    await primary.fail({ kind: 'dead' })
    await stage.anvils.reorg(3, { lose: true })
    await pollAll(filters, received)
    expect(received.logs.map(({ removed }) => removed)).toEqual([false, false, false, true, true, true])
    expect(received.logs.slice(3).map(({ transactionHash }) => transactionHash)).toEqual(
      received.logs
        .slice(0, 3)
        .map(({ transactionHash }) => transactionHash)
        .toReversed(),
    )
  })

  it('report each log once to concurrent requests', async () => {
    const { logs } = await newFilters()
    const received: Log[] = []
    for (let turn = 0; turn < 5; turn++) {
      await witness.makeBlocks(2)
      await bothFollow()
      const polls = Array.from({ length: 8 }, (_, i) => callRpc(at(i), 'eth_getFilterChanges', logs))
      for (const { result, error } of await Promise.all(polls)) {
        if (error) expect(error.code).toBe(-32_002)
        else received.push(...result)
      }
    }
    received.push(...(await resultOfRpc<Log[]>(stage.url, 'eth_getFilterChanges', logs)))
    expect(received).toHaveLength(10)
    expect(new Set(received.map(({ transactionHash }) => transactionHash)).size).toBe(10)
  })

  it('report pending transactions once, whichever replica is asked', async () => {
    const { pending } = await newFilters()
    const received: string[] = []
    const changes = async (turn: number) => received.push(...(await resultOfRpc<string[]>(at(turn), 'eth_getFilterChanges', pending)))
    const send = async () => resultOfRpc<string>(stage.url, 'eth_sendRawTransaction', await stage.sign())
    // Whoever was not asked before begins to listen when it is.
    for (const turn of [0, 1]) {
      const sent: string[] = []
      await eventually(async () => {
        sent.push(await send())
        await changes(turn)
        return sent.some((hash) => received.includes(hash)) || undefined
      }, 'a node is listened to')
    }
    for (let turn = 0; turn < 6; turn++) {
      const hash = await send()
      await eventually(async () => (await changes(turn)) && (received.includes(hash) || undefined), 'it is reported')
    }
    await stage.mine()
    for (const turn of [0, 1]) await changes(turn)
    expect(new Set(received).size).toBe(received.length)
  })

  it('continue in another process when their own is gone', async () => {
    const third = await stage.gateway.replica()
    const path = new URL(stage.url).pathname
    const filter = await resultOfRpc<string>(`${third.url}${path.slice(path.indexOf('/v1/'))}`, 'eth_newFilter', { address: stage.token })
    await witness.makeBlocks(1)
    await third.stop()
    await witness.makeBlocks(1)
    expect(await resultOfRpc(stage.url, 'eth_getFilterChanges', filter)).toHaveLength(2)
  })

  it('answer that NATS is away, and continue when it is back', async () => {
    const filters = await newFilters()
    await witness.makeBlocks(1)
    await stage.gateway.nats.kill()
    for (const reported of [
      await callRpc(stage.url, 'eth_getFilterChanges', filters.logs),
      await callRpc(stage.url, 'eth_newBlockFilter'),
    ]) {
      expect(reported).toMatchObject({ status: 503, error: { code: -32_002 } })
    }
    expect(await resultOfRpc(stage.url, 'eth_getBalance', stage.token, 'latest')).toBe('0x0')
    await witness.makeBlocks(1)
    await stage.gateway.nats.start()
    const logs = await eventually(async () => (await callRpc(stage.url, 'eth_getFilterChanges', filters.logs)).result, 'NATS is back')
    expect(logs).toHaveLength(2)
  })
})

/** The gateway, or its replica, by turns. */
function at(turn: number): string {
  const path = new URL(stage.url).pathname
  return turn % 2 === 0 ? stage.url : `${replica.url}${path.slice(path.indexOf('/v1/'))}`
}

async function newFilters() {
  const logs = await resultOfRpc<string>(at(0), 'eth_newFilter', { address: stage.token })
  const blocks = await resultOfRpc<string>(at(1), 'eth_newBlockFilter')
  const pending = await resultOfRpc<string>(at(0), 'eth_newPendingTransactionFilter')
  return { logs, blocks, pending }
}

let turns = 0

/** At one replica after the other, by turns. */
async function poll({ logs, blocks }: { logs: string; blocks: string }, received: { logs: Log[]; blocks: string[] }): Promise<void> {
  await bothFollow()
  received.logs.push(...(await resultOfRpc<Log[]>(at(turns++), 'eth_getFilterChanges', logs)))
  received.blocks.push(...(await resultOfRpc<string[]>(at(turns), 'eth_getFilterChanges', blocks)))
}

/** What is reported at once, and what a replica that may be behind another tells a moment later. */
async function pollAll(filters: { logs: string; blocks: string }, received: { logs: Log[]; blocks: string[] }): Promise<void> {
  await eventually(async () => {
    await poll(filters, received)
    return received.blocks.at(-1) === (await witness.newest()).hash && (await witness.isWhole(received.logs)) ? true : undefined
  }, 'all is reported')
}

async function bothFollow(): Promise<void> {
  const { hash } = await witness.newest()
  const follows = async (turn: number) => (await resultOfRpc<Head | null>(at(turn), 'eth_getBlockByNumber', 'latest', false))?.hash === hash
  await eventually(async () => ((await follows(0)) && (await follows(1))) || undefined, 'both replicas are there')
}
