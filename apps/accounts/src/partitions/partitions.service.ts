import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { expiredPartitions, type PartitionedTable, requiredPartitions } from './partition.js'
import { PartitionsRepository } from './partitions.repository.js'

@Injectable()
export class PartitionsService {
  constructor(
    private readonly partitions: PartitionsRepository,
    private readonly clock: Clock,
  ) {}

  /** Creates the partitions that are needed and drops the expired ones. */
  async maintain(table: PartitionedTable): Promise<void> {
    const now = this.clock.now()
    const names = await this.partitions.list(table)
    for (const one of requiredPartitions(table, now)) if (!names.includes(one.name)) await this.partitions.create(table, one)
    for (const one of expiredPartitions(table, names, now)) await this.partitions.delete(table, one)
  }
}
