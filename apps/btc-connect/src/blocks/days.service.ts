import { Injectable } from '@nestjs/common'
import type { BlockList, blocks } from '@trestle/contracts/btc-connect/blocks'
import type { Input } from '@trestle/contracts/endpoint'
import { Clock } from '@trestle/runtime/clock'
import type { ReadResult } from '../edge/read-result.js'
import { SnapshotsService } from '../reading/snapshots.service.js'
import { BlocksRepository } from './blocks.repository.js'
import { blockDay, isOver, toBlockList } from './day.js'
import { PoolsService } from './pools.service.js'

/** The blocks of a day. */
@Injectable()
export class DaysService {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly blocks: BlocksRepository,
    private readonly pools: PoolsService,
    private readonly clock: Clock,
  ) {}

  async list(asked: Input<typeof blocks.list>['query']): Promise<ReadResult<BlockList>> {
    const day = blockDay(asked, this.clock.now())
    return this.snapshots.read(async ({ client, tip: { height } }) => {
      const found = await this.blocks.list(client, day, day.limit + 1)
      const final = isOver(day, await this.blocks.findTipTime(client))
      return {
        body: toBlockList(
          day,
          found.map((block) => ({ ...block, poolInfo: this.pools.find(block) })),
        ),
        height,
        final,
      }
    })
  }
}
