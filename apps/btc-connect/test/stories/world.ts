import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@trestle/testing/eventually'
import { type BuiltReplica, BuiltService, type BuiltServiceOptions } from './built-service.js'
import { ChainReader } from './chain-reader.js'
import { ExpectedChainState } from './chain-state.js'
import { Comparison } from './comparison.js'
import type { Truth } from './expected.js'
import { SeededRandom } from './random.js'
import { type Regtest, startRegtest, type TestedDaemon } from './regtest.js'
import { Traffic } from './traffic.js'
import { WaitingState } from './waiting-state.js'
import { StoryWallet } from './wallet.js'

const BITCOIN_LIMITS = [0, 1_000_000]

interface WorldOptions {
  readonly seed: number
  readonly mweb?: boolean
  readonly settings?: BuiltServiceOptions['settings']
  readonly hasWallet?: boolean
  /** Where the service is to find the node, when not where it is. */
  readonly between?: (node: Regtest) => Promise<string>
}

/** A node, people who use it, somebody who adds up what they do, and the service. */
export class StoryWorld {
  readonly reader: ChainReader

  private constructor(
    readonly node: Regtest,
    readonly random: SeededRandom,
    readonly traffic: Traffic,
    readonly service: BuiltService,
  ) {
    this.reader = new ChainReader(node.console)
  }

  static async create(
    daemon: TestedDaemon,
    { seed, settings, mweb = false, hasWallet = true, between }: WorldOptions,
  ): Promise<StoryWorld> {
    const node = await startRegtest(daemon, { mweb })
    const isBitcoin = node.coin === 'btc'
    const wallet = hasWallet ? await StoryWallet.create(node.console, { isBitcoin }) : undefined
    const random = new SeededRandom(seed)
    const traffic = new Traffic(node.console, random, { wallet, mweb, limits: isBitcoin ? BITCOIN_LIMITS : [] })
    const seen = between ? { ...node, url: await between(node) } : node
    return new StoryWorld(node, random, traffic, await BuiltService.create({ node: seen, settings }))
  }

  /** What the node says is true now. */
  async truth(): Promise<Truth> {
    const state = new ExpectedChainState(this.reader, await this.reader.read())
    return { state, waiting: new WaitingState(this.reader, await this.reader.readMempool()) }
  }

  /** Waits until an index has what the node has, in its chain and in its mempool. */
  async caughtUp({ sql }: BuiltService = this.service): Promise<void> {
    await eventually(
      async () => {
        const best = await this.node.console.call<string>('getbestblockhash')
        const waiting = [...(await this.reader.readMempool()).keys()].sort()
        const { rows } = await sql.query<{ tip: string; waiting: string[] }>(
          `SELECT (SELECT encode(hash, 'hex') FROM block ORDER BY height DESC LIMIT 1) AS tip,
                ARRAY(SELECT encode(txid, 'hex') FROM mempool_tx ORDER BY 1) AS waiting FROM index_state WHERE phase = 'tip'`,
        )
        await pause(50)
        const same = rows[0]?.tip === best && rows[0]?.waiting.join() === waiting.join()
        return same || undefined
      },
      'the index has what the node has',
      120_000,
    )
  }

  /** Everything the service says, held against everything the node says. */
  async compare(replica: BuiltReplica): Promise<Comparison> {
    return (await this.comparison(replica)).everything(this.random)
  }

  /** For a part of that, when the index has what the node has. */
  async comparison(replica: BuiltReplica): Promise<Comparison> {
    await this.caughtUp()
    return new Comparison(replica, await this.truth())
  }

  async end(): Promise<void> {
    await this.service.stopAll()
    await this.node.remove()
  }
}
