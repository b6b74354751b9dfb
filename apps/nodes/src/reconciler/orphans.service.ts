import { Inject, Injectable } from '@nestjs/common'
import { NodeDriver } from '../drivers/driver.js'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { OrphanAlarms } from './orphan-alarms.service.js'
import { OrphansRepository } from './orphans.repository.js'

/** Finds what the driver has made for this installation and no row knows: after a database was restored, most likely. It is removed after a long while. */
@Injectable()
export class Orphans {
  constructor(
    private readonly driver: NodeDriver,
    private readonly repository: OrphansRepository,
    private readonly alarms: OrphanAlarms,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'ORPHAN_GRACE_MS'>,
  ) {}

  async sweep(): Promise<void> {
    const owned: string[] = []
    for await (const id of this.driver.owned()) owned.push(id)
    const orphans = await this.repository.keep(owned)
    this.alarms.tell(orphans)
    const old = orphans.filter(({ isNew, ageMs }) => !isNew && ageMs >= this.env.ORPHAN_GRACE_MS)
    for (const { id } of old) await this.driver.remove(id)
  }
}
