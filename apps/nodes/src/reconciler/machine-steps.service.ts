import { Injectable } from '@nestjs/common'
import { type DesiredMachine, NodeDriver, type ObservedMachine } from '../drivers/driver.js'
import { NodeSealerService } from '../sealing/node-sealer.service.js'
import type { Machine } from '../workloads/workload.js'

/** Looks at what there is of a machine, and takes one step towards what is wanted of it. */
@Injectable()
export class MachineSteps {
  constructor(
    private readonly driver: NodeDriver,
    private readonly sealer: NodeSealerService,
  ) {}

  async take(machine: Machine, wanted: DesiredMachine): Promise<ObservedMachine | undefined> {
    const observed = await this.driver.observe(wanted)
    if (machine.desiredState === 'gone') {
      if (observed) await this.driver.remove(machine.id)
    } else if (!observed?.matches || observed.running !== wanted.running) await this.driver.apply(wanted)
    return observed
  }

  wantedOf({ id, blueprint, desiredState, sealedPassword }: Machine): DesiredMachine {
    return { id, blueprint, running: desiredState === 'running', password: this.sealer.open(sealedPassword, id) }
  }
}
