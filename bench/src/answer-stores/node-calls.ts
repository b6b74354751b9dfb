import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAnvil, startAnvil } from '@trestle/devnet/ethereum/anvil'
import { Pool } from 'undici'
import { cpuSeconds } from '../process.ts'
import type { BenchStore } from './answer-store.ts'

const TRANSFERS = 180

interface Block {
  readonly number: string
  readonly transactions: readonly string[]
}

/** What a store saves: the same sizes, asked of a node, by size in bytes. */
export async function startNodeCalls(): Promise<BenchStore & { bodyOf(bytes: number): Buffer }> {
  const dir = mkdtempSync(join(tmpdir(), 'answer-stores-'))
  const node = await startAnvil({ command: findAnvil(), dir, chainId: 31_337, hardfork: 'cancun' })
  const small = await mine(node.rpc, 16)
  const large = await mine(node.rpc, TRANSFERS)
  const pool = new Pool(new URL(node.url).origin, { connections: 32, pipelining: 1 })
  const bodyOf = (bytes: number) => {
    const calls: Record<number, [string, unknown[]]> = {
      500: ['eth_getTransactionByHash', [large.transactions[0]]],
      [8 * 1024]: ['eth_getBlockByNumber', [small.number, true]],
      [70 * 1024]: ['eth_getBlockByNumber', [large.number, true]],
    }
    const [method, params] = calls[bytes] ?? ['eth_chainId', []]
    return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  }
  return {
    name: 'a node (anvil)',
    bodyOf,
    async read(body) {
      const answer = await pool.request({ method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body })
      return Buffer.from(await answer.body.arrayBuffer())
    },
    async write() {},
    cpuSeconds: () => cpuSeconds(node.pid),
    async stop() {
      await pool.close()
      await node.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A block of so many transfers. */
async function mine(rpc: { call<T>(method: string, ...params: unknown[]): Promise<T> }, transfers: number): Promise<Block> {
  const accounts = await rpc.call<string[]>('eth_accounts')
  const [to] = accounts
  for (let made = 0; made < transfers; made++)
    await rpc.call('eth_sendTransaction', { from: accounts[made % accounts.length], to, value: '0x1', gas: '0x5208' })
  await rpc.call('evm_mine')
  return rpc.call<Block>('eth_getBlockByNumber', 'latest', false)
}
