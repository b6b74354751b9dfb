import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { StatusAnswer, SyncStatus } from '@trestle/contracts/btc-connect/status'
import type { WritableReply } from '@trestle/contracts/endpoint'
import { versionOf } from '@trestle/runtime/package-version'
import type { BtcConnectEnv } from '../env.js'
import { NodeClient } from '../node/node.client.js'
import { bestBlockHash, chainInfo, networkInfo } from '../node/node-calls.js'
import { ShortCache } from '../node/short-cache.engine.js'
import { withoutExponent } from '../plain-number.js'
import { ENV, RULES } from '../settings.module.js'
import { networkStatusOf } from './network-status.js'
import { StatusRepository } from './status.repository.js'
import { syncStatusOf } from './sync-status.js'

const KEPT_MS = 1_000
const PEER_MS = 2_000
const VERSION = versionOf(import.meta.url)

type Answer = WritableReply<StatusAnswer>

@Injectable()
export class StatusService {
  private readonly answers = new ShortCache<string, Answer>(KEPT_MS)

  constructor(
    private readonly node: NodeClient,
    private readonly index: StatusRepository,
    @Inject(RULES) private readonly rules: ChainRules,
    @Inject(ENV) private readonly env: Pick<BtcConnectEnv, 'STAND_IN'>,
  ) {}

  /** An unknown query gets the response of `getInfo`, as in Insight. */
  show(q = ''): Promise<Answer> {
    const forms: Record<string, () => Promise<Answer>> = {
      getDifficulty: () => this.difficulty(),
      getBestBlockHash: () => this.bestBlockHash(),
      getLastBlockHash: () => this.lastBlockHash(),
    }
    const query = Object.hasOwn(forms, q) ? q : 'getInfo'
    return this.answers.get(query, forms[query] ?? (() => this.info()))
  }

  async sync(): Promise<SyncStatus> {
    return { ...syncStatusOf(await this.index.findState()), ...this.standIn() }
  }

  /** Never the address of the node, which is internal. */
  async peer(): Promise<{ connected: boolean; host: string; port: null }> {
    const connected = await this.node.call(bestBlockHash, { timeoutMs: PEER_MS }).then(
      () => true,
      () => false,
    )
    return { connected, host: '127.0.0.1', port: null }
  }

  version() {
    const { coin, network } = this.rules
    return { version: VERSION, chain: coin, network, ...this.standIn() }
  }

  private async info(): Promise<Answer> {
    const [chain, network] = await Promise.all([this.node.call(chainInfo), this.node.call(networkInfo)])
    return { info: { ...networkStatusOf(chain, network, this.rules), ...this.standIn() } }
  }

  private async difficulty(): Promise<Answer> {
    return { difficulty: withoutExponent((await this.node.call(chainInfo)).difficulty) }
  }

  private async bestBlockHash(): Promise<Answer> {
    return { bestblockhash: (await this.node.call(bestBlockHash)).toString('hex') }
  }

  private async lastBlockHash(): Promise<Answer> {
    const [node, index] = await Promise.all([this.node.call(bestBlockHash), this.index.findTipHash()])
    return { syncTipHash: index?.toString('hex'), lastblockhash: node.toString('hex') }
  }

  private standIn(): { standIn?: string } {
    return this.env.STAND_IN ? { standIn: this.env.STAND_IN } : {}
  }
}
