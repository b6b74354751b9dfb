import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { EvmChain } from '@trestle/contracts/chains/chain'
import { chainNamed } from '@trestle/contracts/chains/chains'
import type { RunningProcess } from '../process.js'
import { findAnvil } from './anvil.js'
import { EthereumChain, nodesOf, removeEthereum } from './ethereum-chain.js'
import { EthereumRpc } from './ethereum-rpc.js'

// A chain of one's own has anvil's id instead of the main network's.
const IDS: Record<string, string> = { eth: '31337', etc: '61', base: '8453' }

describe.each(Object.keys(IDS))('the chain of %s', (deployment) => {
  let folder: string
  let chain: EthereumChain
  let processes: RunningProcess[]
  let end: AbortController

  function record(): EvmChain {
    const found = chainNamed(deployment)
    if (found?.family !== 'evm') throw new Error(`${deployment} is no EVM chain.`)
    return found
  }
  async function start() {
    chain = new EthereumChain(record(), folder, findAnvil())
    processes = await Promise.all(chain.names.map((name) => chain.start(name)))
    await chain.grow()
  }
  const heights = async () => {
    const { nodes } = await chain.info()
    const answers = Object.values(nodes).map(({ url }) => new EthereumRpc(url).call<string>('eth_blockNumber'))
    return (await Promise.all(answers)).map(Number)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ethereum-'))
    end = new AbortController()
    await start()
  })
  afterAll(async () => {
    end.abort()
    await removeEthereum(folder)
    await Promise.all(processes.map(({ exited }) => exited))
  })

  it('has a past at all nodes, and a token with transfers', async () => {
    expect(new Set(await heights())).toEqual(new Set([24]))
    const { nodes, token } = await chain.info()
    const [{ url = '' } = {}] = Object.values(nodes)
    const logs = await new EthereumRpc(url).call<object[]>('eth_getLogs', { fromBlock: 'earliest', address: token })
    expect(logs.length).toBeGreaterThan(6)
  })

  it('tells the gateway where its nodes are', async () => {
    const { CHAIN, CHAIN_ID, NETWORK_ID, UPSTREAMS = '' } = chain.env()
    expect([CHAIN, CHAIN_ID, NETWORK_ID]).toEqual([deployment, IDS[deployment], IDS[deployment]])
    const { nodes } = await chain.info()
    expect(UPSTREAMS.split(',')).toEqual(
      nodesOf(record()).map((name) => `${name}=${nodes[name]?.url}+${nodes[name]?.webSocketUrl}#archive`),
    )
  })

  it('comes back with what it had', async () => {
    await Promise.all(processes.map((process) => process.stop()))
    await start()
    expect(new Set(await heights())).toEqual(new Set([24]))
  })

  it('makes blocks by itself', async () => {
    chain.live(end.signal)
    while (Math.min(...(await heights())) < 25) await delay(50)
  })
})
