import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import type { RunningProcess } from '../process.js'
import { RegtestChain, removeChains } from './chain.js'
import { NodeRpc } from './node-rpc.js'
import { SHOP } from './owners.js'
import { planChains } from './plan.js'

// Where there is no bitcoind, the chain of btc is tested with what stands in for it.
const { plans, notes } = await planChains(DEPLOYMENTS.filter(({ name }) => name === 'btc' || name === 'ltc'))
for (const note of notes) process.stderr.write(`${note}\n`)

it('there is a node for both chains', () => {
  expect(plans.map(({ deployment }) => deployment)).toEqual(['btc', 'ltc'])
})

describe.each(plans)('$deployment', (plan) => {
  let folder: string
  let chain: RegtestChain
  let node: RunningProcess
  let rpc: NodeRpc

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'chain-'))
    chain = new RegtestChain(plan, folder)
    node = await chain.start()
    await chain.grow()
    const { rpc: url, cookieFile } = await chain.info()
    rpc = new NodeRpc(url, cookieFile)
  })
  afterAll(async () => {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('tells where it is', async () => {
    const { rpc: url, cookieFile, daemon, address } = await chain.info()
    expect(address).toBe('mqUB4fa19XcG8mbe3u56niFGBpqF4Uegaw')
    expect(existsSync(cookieFile)).toBe(true)
    expect(daemon).toBe(plan.daemon.version)
    expect(chain.env()).toMatchObject({ CHAIN: plan.chain, NETWORK: 'regtest', NODE_URL: url, NODE_COOKIE_FILE: cookieFile })
    const { scriptPubKey } = await rpc.call<{ scriptPubKey: string }>('validateaddress', address)
    expect(scriptPubKey).toBe(SHOP.script.toString('hex'))
  })

  it('has a shop that was paid 1,200 times, and a wallet with coins', async () => {
    expect(await paymentsTo(SHOP.script)).toBe(1200)
    expect(await rpc.wallet('demo').call<number>('getbalance')).toBeGreaterThan(440)
  })

  it('has outputs of every kind', async () => {
    const kinds = [
      'pubkey',
      'pubkeyhash',
      'scripthash',
      'multisig',
      'nulldata',
      'witness_v0_keyhash',
      'witness_v0_scripthash',
      'witness_v1_taproot',
    ]
    const extension = chain.plan.deployment === 'ltc' ? ['witness_mweb_pegin', 'witness_mweb_hogaddr'] : []
    const found = new Set((await outputs()).map(({ scriptPubKey: { type } }) => type))
    expect([...found].sort()).toEqual([...kinds, ...extension].sort())
  })

  it('makes blocks by itself until it is stopped', async () => {
    const end = new AbortController()
    const before = await rpc.call<number>('getblockcount')
    chain.live(end.signal)
    while ((await rpc.call<{ size: number }>('getmempoolinfo')).size === 0) await delay(50)
    end.abort()
    expect(await rpc.call('getblockcount')).toBeGreaterThan(before)
  })

  it('comes back on its ports with the chain it had, also when it was killed', async () => {
    const before = await chain.info()
    node.kill('SIGKILL')
    await node.exited
    node = await chain.start()
    await chain.grow()
    expect(await chain.info()).toEqual(before)
  })

  it('starts a new chain if the history is incomplete', async () => {
    await node.stop()
    rmSync(join(folder, plan.standsFor ? 'btc-litecoind' : plan.deployment, 'past.json'))
    node = await chain.start()
    expect(await rpc.call('getblockcount')).toBe(0)
  })

  it('is forgotten with the server that an earlier run left', async () => {
    await removeChains(folder)
    expect(await node.exited).toBe('exit code 0')
    expect(existsSync(folder)).toBe(false)
  })

  interface Output {
    readonly scriptPubKey: { readonly type: string; readonly hex: string }
  }

  async function outputs(): Promise<Output[]> {
    const height = await rpc.call<number>('getblockcount')
    const hashes = await rpc.batch<string>(Array.from({ length: height }, (_, i) => ['getblockhash', i + 1]))
    const blocks = await rpc.batch<{ tx: { vout: Output[] }[] }>(hashes.map((hash) => ['getblock', hash, 2]))
    return blocks.flatMap(({ tx }) => tx.flatMap(({ vout }) => vout))
  }

  async function paymentsTo(script: Buffer): Promise<number> {
    return (await outputs()).filter(({ scriptPubKey: { hex } }) => hex === script.toString('hex')).length
  }
})
