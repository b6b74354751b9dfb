import { Injectable } from '@nestjs/common'
import { NodeDriver, type ObservedMachine, type WantedMachine } from '../drivers/driver.js'
import type { Machine } from '../holdings/holding.js'
import { NodeSealer } from '../sealing/node-sealer.service.js'

/** Looks at what there is of a machine, and takes one step towards what is wanted of it. */
@Injectable()
export class MachineSteps {
  constructor(
    private readonly driver: NodeDriver,
    private readonly sealer: NodeSealer,
  ) {}

  async take(machine: Machine, wanted: WantedMachine): Promise<ObservedMachine | undefined> {
    const observed = await this.driver.observe(wanted)
    if (machine.wanted === 'gone') {
      if (observed) await this.driver.remove(machine.id)
    } else if (!observed?.matches || observed.running !== wanted.running) await this.driver.apply(wanted)
    return observed
  }

  wantedOf({ id, blueprint, wanted, sealedPassword }: Machine): WantedMachine {
    return { id, blueprint, running: wanted === 'running', password: this.sealer.open(sealedPassword, id) }
  }
}
