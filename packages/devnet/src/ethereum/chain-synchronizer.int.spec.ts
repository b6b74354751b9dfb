import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { addActivity, TOKEN_ADDRESS } from './activity.js'
import { findAnvil, type RunningAnvil, startAnvil } from './anvil.js'
import { ChainSynchronizer, type NodeTimeouts } from './chain-synchronizer.js'
import type { EthereumRpc } from './ethereum-rpc.js'
import { blockAt } from './follower.js'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

let folder: string
let anvils: RunningAnvil[]
let synchronizer: ChainSynchronizer
let end: AbortController

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synchronizer-'))
  anvils = await Promise.all([0, 1, 2].map((i) => start(i)))
  synchronizer = synchronizerWith({ statusMs: 60_000, workMs: 60_000 })
  end = new AbortController()
})
afterEach(async () => {
  end.abort()
  await Promise.all(anvils.map((anvil) => anvil.stop()))
  rmSync(folder, { recursive: true })
})

describe(ChainSynchronizer, () => {
  it('has all nodes make the blocks of the first', async () => {
    for (let i = 0; i < 12; i++) await synchronizer.mine(addActivity)
    const hash = await sameHead(12)
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    const logs = await rpcOf(2).call<object[]>('eth_getLogs', { fromBlock: '0x0', address: TOKEN_ADDRESS, topics: [TRANSFER] })
    expect(logs.length).toBeGreaterThanOrEqual(4)
    expect(logs).toEqual(await rpcOf(0).call('eth_getLogs', { fromBlock: '0x0', address: TOKEN_ADDRESS, topics: [TRANSFER] }))
  })

  it('puts a transaction that a follower was sent into the block of all', async () => {
    const hash = await pay(rpcOf(2), 0)
    await synchronizer.synchronize()
    for (const node of [0, 1, 2]) expect(await rpcOf(node).call('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    const { transactions } = await synchronizer.mine()
    expect(transactions).toEqual([hash])
    await sameHead(1)
    expect(await rpcOf(1).call('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  it('keeps transactions waiting that a block has no part in', async () => {
    const [early, late] = [await pay(rpcOf(0), 0), await pay(rpcOf(1), 1)]
    // The leader makes a block that the others hear of only with their own transactions waiting.
    await rpcOf(0).call('evm_mine', Math.floor(Date.now() / 1000))
    await synchronizer.synchronize()
    await sameHead(1)
    expect((await blockAt(rpcOf(1), 1))?.transactions).toEqual([early])
    expect((await synchronizer.mine()).transactions).toEqual([late])
    await sameHead(2)
  })

  it('replaces a leader that was killed, and synchronizes it when it is back', async () => {
    await synchronizer.mine(addActivity)
    void synchronizer.run(end.signal, () => synchronizer.mine(addActivity))
    const before = await heightOf(rpcOf(1))
    anvils[0]?.process.kill('SIGKILL')
    const hash = await pay(rpcOf(2), 1)
    while ((await heightOf(rpcOf(1))) < before + 3) await delay(20)
    // It comes back empty.
    anvils[0] = await start(0, anvils[0]?.port)
    await inStep()
    const receipt = await rpcOf(0).call<{ status: string } | null>('eth_getTransactionReceipt', hash)
    expect(receipt?.status).toBe('0x1')
  })

  it('does not wait for a node that hangs, and synchronizes it when it is back', async () => {
    anvils[0]?.process.kill('SIGSTOP')
    await synchronizerWith({ statusMs: 1500, workMs: 60_000 }).mine(addActivity)
    anvils[0]?.process.kill('SIGCONT')
    await synchronizer.synchronize()
    await sameHead(1)
  })

  it('is not led astray by a leader that comes back at once, without its chain', async () => {
    await synchronizer.mine(addActivity)
    anvils[0]?.process.kill('SIGKILL')
    await anvils[0]?.process.exited
    anvils[0] = await start(0, anvils[0]?.port)
    await synchronizer.synchronize()
    await sameHead(1)
  })

  it('brings back a node that was stopped and has its chain, from there on', async () => {
    for (let i = 0; i < 3; i++) await synchronizer.mine(addActivity)
    await anvils[1]?.stop()
    await synchronizer.mine(addActivity)
    anvils[1] = await start(1, anvils[1]?.port)
    expect(await heightOf(rpcOf(1))).toBe(3)
    await synchronizer.synchronize()
    await sameHead(4)
  })

  it('takes a node off its own branch, and its transactions into the chain of all', async () => {
    await synchronizer.mine(addActivity)
    const hash = await pay(rpcOf(1), 0)
    for (let i = 1; i <= 3; i++) await rpcOf(1).call('evm_mine', Math.floor(Date.now() / 1000) + i)
    await synchronizer.synchronize()
    await sameHead(1)
    expect((await synchronizer.mine()).transactions).toEqual([hash])
    await sameHead(2)
  })

  it('follows the leader through a reorganization', async () => {
    for (let i = 0; i < 6; i++) await synchronizer.mine(addActivity)
    const before = await blockAt(rpcOf(0), 6)
    await rpcOf(0).call('anvil_reorg', 3, [])
    await synchronizer.synchronize()
    expect(await sameHead(6)).not.toBe(before?.hash)
  })

  it('gives the whole chain to a node that cannot make it again', async () => {
    await synchronizer.mine(addActivity)
    const [account] = await rpcOf(0).call<string[]>('eth_accounts')
    // Nothing that is in a block.
    await rpcOf(0).call('anvil_setBalance', account, '0x1234')
    await synchronizer.mine(addActivity)
    await sameHead(2)
    expect(await rpcOf(2).call('eth_getBalance', account, 'latest')).toBe('0x1234')
    await synchronizer.mine(addActivity)
    await sameHead(3)
  })
})

function start(i: number, port?: number): Promise<RunningAnvil> {
  return startAnvil({ command: findAnvil(), dir: join(folder, String(i)), port, chainId: 31_337, hardfork: 'cancun' })
}

function synchronizerWith(timeouts: NodeTimeouts): ChainSynchronizer {
  return new ChainSynchronizer(
    anvils.map((_, i) => () => rpcOf(i)),
    timeouts,
  )
}

function rpcOf(i: number): EthereumRpc {
  const anvil = anvils[i]
  if (!anvil) throw new Error(`There is no node ${i}.`)
  return anvil.rpc
}

async function pay(node: EthereumRpc, account: number): Promise<string> {
  const accounts = await node.call<string[]>('eth_accounts')
  return node.call('eth_sendTransaction', { from: accounts[account], to: accounts[2], value: '0x1', gas: '0x5208' })
}

async function heightOf(node: EthereumRpc): Promise<number> {
  return Number(await node.call<string>('eth_blockNumber'))
}

/** The hash of the newest block, which all have. */
async function sameHead(height: number): Promise<string> {
  const heads = await Promise.all([0, 1, 2].map((i) => blockAt(rpcOf(i), 'latest')))
  expect(heads.map((head) => Number(head?.number))).toEqual([height, height, height])
  expect(new Set(heads.map((head) => head?.hash)).size).toBe(1)
  return heads[0]?.hash ?? ''
}

async function inStep(): Promise<void> {
  for (;;) {
    const heads = await Promise.all([0, 1, 2].map((i) => blockAt(rpcOf(i), 'latest')))
    if (new Set(heads.map((head) => head?.hash)).size === 1) return
    await delay(50)
  }
}
