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
    const heard = { logs: [] as Log[], blocks: [] as string[] }
    for (let depth = 1; depth <= 10; depth++) {
      await witness.makeBlocks(depth)
      await poll(filters, heard)
      await stage.anvils.reorg(depth, { lose: depth % 2 === 0 })
      await poll(filters, heard)
    }
    await pollAll(filters, heard)
    await witness.expectLogs(heard.logs)
    expect(heard.logs.filter(({ removed }) => removed).length).toBeGreaterThan(40)
    expect(new Set(heard.blocks).size).toBe(heard.blocks.length)
    expect(heard.blocks.at(-1)).toBe((await witness.newest()).hash)
  })

  it('report what was disconnected while a node died', async () => {
    const filters = await newFilters()
    const heard = { logs: [] as Log[], blocks: [] as string[] }
    await witness.makeBlocks(3)
    await poll(filters, heard)
    const primary = stage.upstreams[await primaryOf(stage.gateway.service.internalUrl)] as FaultyUpstream
    await primary.fail({ kind: 'dead' })
    await stage.anvils.reorg(3, { lose: true })
    await pollAll(filters, heard)
    expect(heard.logs.map(({ removed }) => removed)).toEqual([false, false, false, true, true, true])
    expect(heard.logs.slice(3).map(({ transactionHash }) => transactionHash)).toEqual(
      heard.logs
        .slice(0, 3)
        .map(({ transactionHash }) => transactionHash)
        .toReversed(),
    )
  })

  it('report each log once to concurrent requests', async () => {
    const { logs } = await newFilters()
    const heard: Log[] = []
    for (let turn = 0; turn < 5; turn++) {
      await witness.makeBlocks(2)
      await bothFollow()
      const polls = Array.from({ length: 8 }, (_, i) => callRpc(at(i), 'eth_getFilterChanges', logs))
      for (const { result, error } of await Promise.all(polls)) {
        if (error) expect(error.code).toBe(-32_002)
        else heard.push(...result)
      }
    }
    heard.push(...(await resultOfRpc<Log[]>(stage.url, 'eth_getFilterChanges', logs)))
    expect(heard).toHaveLength(10)
    expect(new Set(heard.map(({ transactionHash }) => transactionHash)).size).toBe(10)
  })

  it('report pending transactions once, whichever replica is asked', async () => {
    const { pending } = await newFilters()
    const heard: string[] = []
    const changes = async (turn: number) => heard.push(...(await resultOfRpc<string[]>(at(turn), 'eth_getFilterChanges', pending)))
    const send = async () => resultOfRpc<string>(stage.url, 'eth_sendRawTransaction', await stage.sign())
    // Whoever was not asked before begins to listen when it is.
    for (const turn of [0, 1]) {
      const sent: string[] = []
      await eventually(async () => {
        sent.push(await send())
        await changes(turn)
        return sent.some((hash) => heard.includes(hash)) || undefined
      }, 'a node is listened to')
    }
    for (let turn = 0; turn < 6; turn++) {
      const hash = await send()
      await eventually(async () => (await changes(turn)) && (heard.includes(hash) || undefined), 'it is told')
    }
    await stage.mine()
    for (const turn of [0, 1]) await changes(turn)
    expect(new Set(heard).size).toBe(heard.length)
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
    for (const told of [await callRpc(stage.url, 'eth_getFilterChanges', filters.logs), await callRpc(stage.url, 'eth_newBlockFilter')]) {
      expect(told).toMatchObject({ status: 503, error: { code: -32_002 } })
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
async function poll({ logs, blocks }: { logs: string; blocks: string }, heard: { logs: Log[]; blocks: string[] }): Promise<void> {
  await bothFollow()
  heard.logs.push(...(await resultOfRpc<Log[]>(at(turns++), 'eth_getFilterChanges', logs)))
  heard.blocks.push(...(await resultOfRpc<string[]>(at(turns), 'eth_getFilterChanges', blocks)))
}

/** What is told at once, and what a replica that may be behind another tells a moment later. */
async function pollAll(filters: { logs: string; blocks: string }, heard: { logs: Log[]; blocks: string[] }): Promise<void> {
  await eventually(async () => {
    await poll(filters, heard)
    return heard.blocks.at(-1) === (await witness.newest()).hash && (await witness.isWhole(heard.logs)) ? true : undefined
  }, 'all is told')
}

async function bothFollow(): Promise<void> {
  const { hash } = await witness.newest()
  const follows = async (turn: number) => (await resultOfRpc<Head | null>(at(turn), 'eth_getBlockByNumber', 'latest', false))?.hash === hash
  await eventually(async () => ((await follows(0)) && (await follows(1))) || undefined, 'both replicas are there')
}
