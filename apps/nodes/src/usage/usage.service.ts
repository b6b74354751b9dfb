import { Injectable } from '@nestjs/common'
import { UsageCounts } from './usage-counts.service.js'
import { UsageRecords } from './usage-records.service.js'
import { UsageWriter } from './usage-writer.service.js'

/** Hands over what was counted: what is not yet, a crash loses. */
@Injectable()
export class UsageService {
  constructor(
    private readonly counts: UsageCounts,
    private readonly records: UsageRecords,
    private readonly writer: UsageWriter,
  ) {}

  async flush(): Promise<void> {
    const counts = this.counts.take()
    this.records.record(counts)
    this.writer.add(counts)
    await this.writer.write()
  }
}
