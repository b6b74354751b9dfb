import { Inject, Injectable } from '@nestjs/common'
import { NodeDriver } from '../drivers/driver.js'
import type { NodesEnv } from '../env.js'
import { PlansService } from '../plans/plans.service.js'
import { ENV } from '../settings.module.js'
import { NodeCredentials } from './credentials.service.js'
import type { Surroundings } from './description.js'
import type { WorkloadWithMachines } from './workload.js'

/** What is told of workloads besides what they are themselves. */
@Injectable()
export class Views {
  constructor(
    private readonly plans: PlansService,
    private readonly credentials: NodeCredentials,
    private readonly driver: NodeDriver,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'PUBLIC_URL' | 'BASE_PATH'>,
  ) {}

  async of<T>(full: WorkloadWithMachines, describe: (full: WorkloadWithMachines, surroundings: Surroundings) => T): Promise<T> {
    return describe(full, this.surroundings(full, await this.plans.of(full.workload.userId)))
  }

  async ofAll<T>(
    all: readonly WorkloadWithMachines[],
    describe: (full: WorkloadWithMachines, surroundings: Surroundings) => T,
  ): Promise<T[]> {
    const plans = await this.plans.ofAll(all.map(({ workload }) => workload.userId))
    return Promise.all(
      all.map(async (full) => {
        const plan = plans.get(full.workload.userId) ?? (await this.plans.of(full.workload.userId))
        return describe(full, this.surroundings(full, plan))
      }),
    )
  }

  private surroundings({ workload }: WorkloadWithMachines, plan: Surroundings['plan']): Surroundings {
    const gatewayUrl = this.env.PUBLIC_URL + this.env.BASE_PATH
    return { plan, vendor: this.driver.vendor, gatewayUrl, password: this.credentials.open(workload) }
  }
}
