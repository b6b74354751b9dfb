import { Injectable } from '@nestjs/common'
import { UsageWriter } from '@trestle/usage/usage-writer'
import type { Sums } from './sums.js'
import { UsageCounts } from './usage-counts.service.js'
import { UsageRecords } from './usage-records.service.js'

/** Hands over what was counted: what is not yet, a crash loses. */
@Injectable()
export class UsageService {
  constructor(
    private readonly counts: UsageCounts,
    private readonly records: UsageRecords,
    private readonly writer: UsageWriter<string, Sums>,
  ) {}

  async flush(): Promise<void> {
    const counts = this.counts.take()
    this.records.record(counts)
    for (const { workload, methods } of counts) this.writer.add(workload.id, methods)
    await this.writer.write()
  }
}
