import { Injectable } from '@nestjs/common'
import { type DesiredMachine, NodeDriver, type ObservedMachine } from '../drivers/driver.js'
import { NodeSealerService } from '../sealing/node-sealer.service.js'
import type { Machine } from '../workloads/workload.js'

/** Observes a machine, and takes the next step to its desired state. */
@Injectable()
export class MachineStepsService {
  constructor(
    private readonly driver: NodeDriver,
    private readonly sealer: NodeSealerService,
  ) {}

  async take(machine: Machine, desired: DesiredMachine): Promise<ObservedMachine | undefined> {
    const observed = await this.driver.observe(desired)
    if (machine.desiredState === 'gone') {
      if (observed) await this.driver.remove(machine.id)
    } else if (!observed?.matches || observed.running !== desired.running) await this.driver.apply(desired)
    return observed
  }

  desiredOf({ id, blueprint, desiredState, sealedPassword }: Machine): DesiredMachine {
    return { id, blueprint, running: desiredState === 'running', password: this.sealer.open(sealedPassword, id) }
  }
}
