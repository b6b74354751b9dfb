import { Inject, Injectable } from '@nestjs/common'
import { NodeDriver } from '../drivers/driver.js'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { OrphanAlarmsService } from './orphan-alarms.service.js'
import { OrphansRepository } from './orphans.repository.js'

/** Finds machines of this installation that no row accounts for, most likely since a backup was restored, and removes them after a grace period. */
@Injectable()
export class OrphansService {
  constructor(
    private readonly driver: NodeDriver,
    private readonly repository: OrphansRepository,
    private readonly alarms: OrphanAlarmsService,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'ORPHAN_GRACE_MS'>,
  ) {}

  async sweep(): Promise<void> {
    const owned: string[] = []
    for await (const id of this.driver.owned()) owned.push(id)
    const orphans = await this.repository.record(owned)
    this.alarms.report(orphans)
    const old = orphans.filter(({ isNew, ageMs }) => !isNew && ageMs >= this.env.ORPHAN_GRACE_MS)
    for (const { id } of old) await this.driver.remove(id)
  }
}
