import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findAnvil, type RunningAnvil, startAnvil } from '@trestle/devnet/ethereum/anvil'
import { Conductor } from '@trestle/devnet/ethereum/conductor'
import type { EthereumRpc } from '@trestle/devnet/ethereum/ethereum-rpc'
import type { AnvilBlock } from '@trestle/devnet/ethereum/follower'
import { feeAt } from '@trestle/devnet/ethereum/life'
import { workerFolder } from './worker-folder.js'

export interface AnvilsOptions {
  /** One when left out. */
  readonly count?: number
  readonly chainId?: number
  /** `berlin` has no base fee, as Ethereum Classic. */
  readonly hardfork?: string
  /** Milliseconds. Left out, there are no blocks but those that `mine` makes. */
  readonly blockTime?: number
  /** False: `mine` and its like are about the first node only, and nobody tells one of another. They begin with the same block. */
  readonly inStep?: boolean
}

export interface TestAnvil {
  readonly name: string
  readonly url: string
  readonly webSocketUrl: string
  readonly rpc: EthereumRpc
}

const CHAIN_ID = 31_337
const HARDFORK = 'cancun'
// Who hangs is known, so that a busy machine makes nobody fall out.
const PATIENCE = { lookMs: 60_000, workMs: 60_000 }

/** Ethereum nodes of one's own, on a chain that begins with them. */
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
  /** They stay on their ports. */
  readonly nodes: readonly TestAnvil[]
  private readonly conductor: Conductor
  private readonly alone: Set<number>
  /** Killed or frozen, and not to be asked: one that starts again listens before it is known to be another. */
  private readonly away = new Set<number>()
  private readonly end = new AbortController()
  private readonly living?: Promise<void>

  constructor(
    private readonly anvils: RunningAnvil[],
    private readonly start: (node: number, port?: number) => Promise<RunningAnvil>,
    /** They have keys, and 10,000 ether each. */
    readonly accounts: readonly string[],
    private readonly options: AnvilsOptions & { folder: string },
  ) {
    this.nodes = anvils.map(({ url, webSocketUrl, rpc }, i) => ({ name: `node-${i}`, url, webSocketUrl, rpc }))
    this.alone = new Set(options.inStep === false ? [...anvils.keys()].slice(1) : [])
    this.conductor = new Conductor(
      anvils.map((_, i) => () => this.inStep(i)),
      PATIENCE,
    )
    if (options.blockTime !== undefined) this.living = this.live(options.blockTime)
  }

  /** Makes blocks of what waits, at all that are in step; answers with the newest. */
  async mine(blocks = 1): Promise<AnvilBlock> {
    for (let i = 1; i < blocks; i++) await this.conductor.mine()
    return this.conductor.mine()
  }

  /** From the first account to the second, unless told otherwise; answers with the hash. */
  async send(transaction: object = {}, node = 0): Promise<string> {
    const { rpc } = this.anvil(node)
    const [from, to] = this.accounts
    return rpc.call('eth_sendTransaction', { ...(await feeAt(rpc)), from, to, value: '0x1', ...transaction })
  }

  /** Other blocks, and one more, in the place of the newest; with the same transactions, unless they are to be lost. */
  reorg(depth: number, how?: { lose?: boolean }): Promise<void> {
    return this.conductor.reorganize(depth, how)
  }

  /** Takes the newest blocks back, and their transactions. */
  rollback(depth: number): Promise<void> {
    return this.conductor.rollback(depth)
  }

  /** Brings all in step now, rather than with the next block. */
  keep(): Promise<void> {
    return this.conductor.keep()
  }

  /** Leaves a node alone: it falls behind. */
  leave(node: number): void {
    this.alone.add(node)
  }

  /** In step again, with the next block. */
  rejoin(node: number): void {
    this.alone.delete(node)
  }

  /** SIGKILL: all it has is lost. */
  async kill(node: number): Promise<void> {
    const { process } = this.anvil(node)
    this.away.add(node)
    process.kill('SIGKILL')
    await process.exited
  }

  /** On the same port; in step once this settles. */
  async restart(node: number): Promise<void> {
    this.anvils[node] = await this.start(node, this.anvil(node).port)
    this.away.delete(node)
    await this.keep()
  }

  /** It takes connections, and answers nothing; the others go on without it. */
  freeze(node: number): Promise<void> {
    return this.conductor.inTurn(async () => {
      this.away.add(node)
      this.anvil(node).process.kill('SIGSTOP')
    })
  }

  thaw(node: number): void {
    this.anvil(node).process.kill('SIGCONT')
    this.away.delete(node)
  }

  /** For good. */
  async stop(): Promise<void> {
    this.end.abort()
    await this.living
    await Promise.all([...this.anvils.keys()].map((node) => this.kill(node)))
    rmSync(this.options.folder, { recursive: true, force: true })
  }

  private async live(blockTime: number): Promise<void> {
    const { signal } = this.end
    while (!signal.aborted) {
      // A leader that was just killed makes no block; the next one does.
      await this.conductor.mine().catch(() => {})
      await delay(blockTime, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  private anvil(node: number): RunningAnvil {
    const found = this.anvils[node]
    if (!found) throw new Error(`There is no node ${node}.`)
    return found
  }

  private inStep(node: number): EthereumRpc {
    if (this.alone.has(node) || this.away.has(node)) throw new Error(`Node ${node} goes its own way.`)
    return this.anvil(node).rpc
  }
}
