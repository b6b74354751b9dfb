import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { InsightBlock } from '@trestle/contracts/btc-connect/blocks'
import type { WritableReply } from '@trestle/contracts/endpoint'
import type { ReadResult } from '../edge/read-result.js'
import { parseHash } from '../reading/hash.js'
import { notFound } from '../reading/refusals.js'
import { SnapshotsService } from '../reading/snapshots.service.js'
import { RULES } from '../settings.module.js'
import { heightOutOfRange, isFinal, parseHeight, toBlock } from './block.js'
import { BlocksRepository } from './blocks.repository.js'
import { PoolsService } from './pools.service.js'

@Injectable()
export class BlocksService {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly blocks: BlocksRepository,
    private readonly pools: PoolsService,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  one(text: string): Promise<ReadResult<WritableReply<InsightBlock>>> {
    const hash = parseHash(text)
    if (!hash) throw notFound()
    return this.snapshots.read(async ({ client, tip: { height } }) => {
      const block = (await this.blocks.find(client, hash)) ?? (await this.blocks.findStale(client, hash))
      if (!block) throw notFound()
      return { body: toBlock(block, { tipHeight: height, rules: this.rules, poolInfo: this.pools.find(block) }), height }
    })
  }

  hashAt(text: string): Promise<ReadResult<{ blockHash: string }>> {
    const requested = parseHeight(text)
    return this.snapshots.read(async ({ client, tip: { height } }) => {
      const hash = await this.blocks.findHash(client, requested)
      if (!hash) throw heightOutOfRange()
      return { body: { blockHash: hash.toString('hex') }, height, final: isFinal(requested, height) }
    })
  }
}
