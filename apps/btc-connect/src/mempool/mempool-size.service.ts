import { Injectable } from '@nestjs/common'
import type { MempoolSize } from '@trestle/contracts/btc-connect/mempool'
import type { WritableReply } from '@trestle/contracts/endpoint'
import type { ReadResult } from '../edge/read-result.js'
import { SnapshotsService } from '../reading/snapshots.service.js'
import { mempoolSizeOf } from './fee-bands.js'
import { MempoolSizeRepository } from './mempool-size.repository.js'

@Injectable()
export class MempoolSizeService {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly bands: MempoolSizeRepository,
  ) {}

  show(): Promise<ReadResult<WritableReply<MempoolSize>>> {
    return this.snapshots.read(async ({ client, tip: { height } }) => ({ body: mempoolSizeOf(await this.bands.list(client)), height }))
  }
}
