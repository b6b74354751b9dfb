import { Inject, Injectable } from '@nestjs/common'
import { NodeDriver } from '../drivers/driver.js'
import type { NodesEnv } from '../env.js'
import { Plans } from '../plans/plans.service.js'
import { ENV } from '../settings.module.js'
import { NodeCredentials } from './credentials.service.js'
import type { Surroundings } from './description.js'
import type { HoldingInFull } from './holding.js'

/** What is told of holdings besides what they are themselves. */
@Injectable()
export class Views {
  constructor(
    private readonly plans: Plans,
    private readonly credentials: NodeCredentials,
    private readonly driver: NodeDriver,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'PUBLIC_URL' | 'BASE_PATH'>,
  ) {}

  async of<T>(full: HoldingInFull, describe: (full: HoldingInFull, surroundings: Surroundings) => T): Promise<T> {
    return describe(full, this.surroundings(full, await this.plans.of(full.holding.userId)))
  }

  async ofAll<T>(all: readonly HoldingInFull[], describe: (full: HoldingInFull, surroundings: Surroundings) => T): Promise<T[]> {
    const plans = await this.plans.ofAll(all.map(({ holding }) => holding.userId))
    return Promise.all(
      all.map(async (full) => {
        const plan = plans.get(full.holding.userId) ?? (await this.plans.of(full.holding.userId))
        return describe(full, this.surroundings(full, plan))
      }),
    )
  }

  private surroundings({ holding }: HoldingInFull, plan: Surroundings['plan']): Surroundings {
    const gatewayUrl = this.env.PUBLIC_URL + this.env.BASE_PATH
    return { plan, vendor: this.driver.vendor, gatewayUrl, password: this.credentials.open(holding) }
  }
}
