import { Injectable } from '@nestjs/common'
import { UsageWriter } from '@trestle/usage/usage-writer'
import { Meters } from './meters.service.js'
import type { Sums } from './sums.js'
import { UsageRecords } from './usage-records.service.js'

/** Hands over what was counted: what is not yet, a crash loses. */
@Injectable()
export class UsageService {
  constructor(
    private readonly meters: Meters,
    private readonly records: UsageRecords,
    private readonly writer: UsageWriter<number, Sums>,
  ) {}

  async flush(): Promise<void> {
    const counts = this.meters.take()
    this.records.record(counts)
    for (const { project, methods } of counts) this.writer.add(project.serial, methods)
    await this.writer.write()
  }
}
