import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { feeAt } from '@trestle/devnet/ethereum/activity'
import { findAnvil, type RunningAnvil, startAnvil } from '@trestle/devnet/ethereum/anvil'
import { ChainSynchronizer } from '@trestle/devnet/ethereum/chain-synchronizer'
import type { EthereumRpc } from '@trestle/devnet/ethereum/ethereum-rpc'
import type { AnvilBlock } from '@trestle/devnet/ethereum/follower'
import { workerFolder } from './worker-folder.js'

interface AnvilsOptions {
  /** 1 by default. */
  readonly count?: number
  readonly chainId?: number
  /** `berlin` has no base fee, as Ethereum Classic. */
  readonly hardfork?: string
  /** In milliseconds. Without it only `mine` makes blocks. */
  readonly blockTime?: number
  /** False: `mine` and the like affect the first node only, and the nodes, which share a genesis block, are not kept on one chain. */
  readonly inStep?: boolean
}

interface TestAnvil {
  readonly name: string
  readonly url: string
  readonly webSocketUrl: string
  readonly rpc: EthereumRpc
}

const CHAIN_ID = 31_337
const HARDFORK = 'cancun'
// Tests freeze nodes explicitly, so a slow machine must not drop one.
const TIMEOUTS = { statusMs: 60_000, workMs: 60_000 }

/** Starts Ethereum nodes for one test, on a new chain. */
export async function startAnvils(options: AnvilsOptions = {}): Promise<TestAnvils> {
  const { count = 1, chainId = CHAIN_ID, hardfork = HARDFORK } = options
  const command = findAnvil()
  const folder = mkdtempSync(join(workerFolder(), 'anvils-'))
  const start = (i: number, port?: number) => startAnvil({ command, dir: join(folder, String(i)), port, chainId, hardfork })
  const anvils = await Promise.all(Array.from({ length: count }, (_, i) => start(i)))
  const accounts = await anvils[0]?.rpc.call<string[]>('eth_accounts')
  return new TestAnvils(anvils, start, accounts ?? [], { ...options, folder })
}

export class TestAnvils {
  /** Their ports do not change. */
  readonly nodes: readonly TestAnvil[]
  private readonly synchronizer: ChainSynchronizer
  private readonly alone: Set<number>
  /** Killed or frozen. A restarting node listens before it is used again. */
  private readonly away = new Set<number>()
  private readonly end = new AbortController()
  private readonly living?: Promise<void>

  constructor(
    private readonly anvils: RunningAnvil[],
    private readonly start: (node: number, port?: number) => Promise<RunningAnvil>,
    /** Accounts with keys, and 10,000 ether each. */
    readonly accounts: readonly string[],
    private readonly options: AnvilsOptions & { folder: string },
  ) {
    this.nodes = anvils.map(({ url, webSocketUrl, rpc }, i) => ({ name: `node-${i}`, url, webSocketUrl, rpc }))
    this.alone = new Set(options.inStep === false ? [...anvils.keys()].slice(1) : [])
    this.synchronizer = new ChainSynchronizer(
      anvils.map((_, i) => () => this.inStep(i)),
      TIMEOUTS,
    )
    if (options.blockTime !== undefined) this.living = this.live(options.blockTime)
  }

  /** Mines blocks at all nodes that are in step; resolves to the newest. */
  async mine(blocks = 1): Promise<AnvilBlock> {
    for (let i = 1; i < blocks; i++) await this.synchronizer.mine()
    return this.synchronizer.mine()
  }

  /** Sends a transaction, by default from the first account to the second; resolves to its hash. */
  async send(transaction: object = {}, node = 0): Promise<string> {
    const { rpc } = this.anvil(node)
    const [from, to] = this.accounts
    return rpc.call('eth_sendTransaction', { ...(await feeAt(rpc)), from, to, value: '0x1', ...transaction })
  }

  /** Replaces the newest blocks by others, and one more, with the same transactions unless `lose`. */
  reorg(depth: number, how?: { lose?: boolean }): Promise<void> {
    return this.synchronizer.reorganize(depth, how)
  }

  /** Removes the newest blocks and their transactions. */
  rollback(depth: number): Promise<void> {
    return this.synchronizer.rollback(depth)
  }

  /** Brings all nodes in step now, rather than with the next block. */
  keep(): Promise<void> {
    return this.synchronizer.synchronize()
  }

  /** Takes a node out of step: it falls behind. */
  leave(node: number): void {
    this.alone.add(node)
  }

  /** Brings a node back in step, with the next block. */
  rejoin(node: number): void {
    this.alone.delete(node)
  }

  /** SIGKILL: its chain is lost. */
  async kill(node: number): Promise<void> {
    const { process } = this.anvil(node)
    this.away.add(node)
    process.kill('SIGKILL')
    await process.exited
  }

  /** Restarts a node on the same port; it is in step when this resolves. */
  async restart(node: number): Promise<void> {
    this.anvils[node] = await this.start(node, this.anvil(node).port)
    this.away.delete(node)
    await this.keep()
  }

  /** Freezes a node: it accepts connections and does not respond. The others continue without it. */
  freeze(node: number): Promise<void> {
    return this.synchronizer.exclusively(async () => {
      this.away.add(node)
      this.anvil(node).process.kill('SIGSTOP')
    })
  }

  thaw(node: number): void {
    this.anvil(node).process.kill('SIGCONT')
    this.away.delete(node)
  }

  async stop(): Promise<void> {
    this.end.abort()
    await this.living
    await Promise.all([...this.anvils.keys()].map((node) => this.kill(node)))
    rmSync(this.options.folder, { recursive: true, force: true })
  }

  private async live(blockTime: number): Promise<void> {
    const { signal } = this.end
    while (!signal.aborted) {
      // A leader that was just killed makes no block; the next leader does.
      await this.synchronizer.mine().catch(() => {})
      await delay(blockTime, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  private anvil(node: number): RunningAnvil {
    const anvil = this.anvils[node]
    if (!anvil) throw new Error(`There is no node ${node}.`)
    return anvil
  }

  private inStep(node: number): EthereumRpc {
    if (this.alone.has(node) || this.away.has(node)) throw new Error(`Node ${node} is out of step.`)
    return this.anvil(node).rpc
  }
}
