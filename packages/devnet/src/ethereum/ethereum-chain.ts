import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EvmChain } from '@trestle/contracts/chains/chain'
import type { RunningProcess } from '../process.js'
import { devnetChainId } from '../served.js'
import { addActivity, TOKEN_ADDRESS } from './activity.js'
import { type RunningAnvil, removeAnvil, startAnvil } from './anvil.js'
import { ChainSynchronizer } from './chain-synchronizer.js'
import type { EthereumRpc } from './ethereum-rpc.js'

const HARDFORK = 'cancun'

/** What devnet.json says of a chain. */
export interface EthereumInfo {
  readonly chainId: number
  /** The nodes, by the names of their processes. */
  readonly nodes: Readonly<Record<string, { url: string; webSocketUrl: string }>>
  /** A contract with transfers: `Transfer`, `balanceOf`, `transfer`. */
  readonly token: string
  /** Accounts with ether whose keys anvil has; nothing of theirs changes by itself. */
  readonly accounts: readonly string[]
}

// A past, so that something is final from the start.
const PAST_BLOCKS = 24
// Where everything starts at once on a cold machine, all nodes may be silent for some seconds.
const MOST_SILENCES = 10
const SHORTEST_BLOCK_MS = 2000
const LONGEST_BLOCK_MS = 4000
const POLL_MS = 500

/** A chain of this devnet, on several nodes that are kept in step. */
export class EthereumChain {
  readonly names: readonly string[]
  private readonly running = new Map<string, RunningAnvil>()
  private readonly synchronizer: ChainSynchronizer

  constructor(
    private readonly chain: EvmChain,
    private readonly folder: string,
    private readonly command: string,
  ) {
    this.names = nodesOf(chain)
    this.synchronizer = new ChainSynchronizer(this.names.map((name) => () => this.node(name).rpc))
  }

  /** Starts one of its nodes; again on the same port, with the chain it had when it was stopped. */
  async start(name: string): Promise<RunningProcess> {
    const { command, folder, chainId } = this
    const { hardfork = HARDFORK } = this.chain.devnet ?? {}
    const anvil = await startAnvil({ command, dir: join(folder, name), port: this.running.get(name)?.port, chainId, hardfork })
    this.running.set(name, anvil)
    return anvil.process
  }

  /** Brings the nodes together; with a past, where there is none yet. */
  async grow(): Promise<void> {
    await this.synchronizer.synchronize()
    let silences = 0
    while (Number(await this.first.call<string>('eth_blockNumber')) < PAST_BLOCKS) {
      await this.synchronizer.mine(addActivity).catch((error: unknown) => {
        if (++silences > MOST_SILENCES) throw error
      })
    }
  }

  /** Goes on with it until told to stop: a block every two to four seconds. */
  live(signal: AbortSignal): void {
    let due = Date.now()
    void this.synchronizer.run(signal, async () => {
      if (Date.now() < due) return
      due = Date.now() + SHORTEST_BLOCK_MS + Math.random() * (LONGEST_BLOCK_MS - SHORTEST_BLOCK_MS)
      await this.synchronizer.mine(addActivity)
    })
  }

  async info(): Promise<EthereumInfo> {
    const accounts = await this.first.call<string[]>('eth_accounts')
    const nodes = this.names.map((name) => {
      const { url, webSocketUrl } = this.node(name)
      return [name, { url, webSocketUrl }]
    })
    return { chainId: this.chainId, nodes: Object.fromEntries(nodes), token: TOKEN_ADDRESS, accounts: accounts.slice(0, 3) }
  }

  /** What the gateway in front of it is told. */
  env(): Record<string, string> {
    const upstreams = this.names.map((name) => {
      const { url, webSocketUrl } = this.node(name)
      return `${name}=${url}+${webSocketUrl}#archive`
    })
    const { chainId } = this
    return {
      CHAIN: this.deployment,
      CHAIN_ID: String(chainId),
      // To anvil it is the same.
      NETWORK_ID: String(chainId),
      UPSTREAMS: upstreams.join(','),
      WORKERS: '1',
      POLL_MS: String(POLL_MS),
    }
  }

  get deployment(): string {
    return this.chain.name
  }

  private get chainId(): number {
    return devnetChainId(this.chain)
  }

  private get first(): EthereumRpc {
    return this.node(this.names[0] ?? '').rpc
  }

  private node(name: string): RunningAnvil {
    const anvil = this.running.get(name)
    if (!anvil) throw new Error(`${name} was not started.`)
    return anvil
  }
}

/** The names of the processes that are the nodes of a deployment. */
export function nodesOf({ name, devnet }: Pick<EvmChain, 'name' | 'devnet'>): string[] {
  return Array.from({ length: devnet?.nodes ?? 1 }, (_, i) => `${name}-node-${i + 1}`)
}

/** Forgets all chains. */
export async function removeEthereum(folder: string): Promise<void> {
  if (existsSync(folder)) await Promise.all(readdirSync(folder).map((name) => removeAnvil(join(folder, name))))
  rmSync(folder, { recursive: true, force: true })
}
