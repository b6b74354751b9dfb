import { setTimeout as delay } from 'node:timers/promises'
import type { NodeDriver } from '../../src/drivers/driver.js'
import type { Ec2Client } from '../../src/drivers/ec2/ec2.client.js'
import { Ec2Driver } from '../../src/drivers/ec2/ec2-driver.engine.js'
import { CHANGES, imageBlueprint } from '../ec2/calls.js'
import { FakeEc2 } from '../ec2/fake-ec2.js'
import type { Fate } from '../fake-driver.js'
import { fated } from '../intercepted.js'
import type { TestBackend } from './test-backend.js'

const SETTINGS = { installation: 'testing', region: 'us-east-1', subnet: 'subnet-1', securityGroups: [] }
// Some looks at a time are at what was described before.
const PACE = { pollMs: 60_000, maxAgeMs: 3 }

/** Instances and volumes of a fake EC2. */
export class Ec2Backend implements TestBackend {
  readonly standard = imageBlueprint()
  readonly large = imageBlueprint({
    serviceId: 'service-7a2e1f1f-1b6d-4c2f-9d3e-4f5a6b7c8d9e',
    performance: 'large',
    instanceType: 'm6i.2xlarge',
    memoryMiB: 16_384,
  })
  private ec2 = new FakeEc2()

  driver(fate: (point: string) => Fate): NodeDriver {
    const driver = new Ec2Driver(SETTINGS, fated(this.ec2, CHANGES, fate) as unknown as Ec2Client, PACE)
    return fated(driver, new Set(['observe']), fate)
  }

  async programs(): Promise<string[]> {
    return this.ec2.instances.filter(({ state }) => ['pending', 'running'].includes(state)).map(({ machine }) => machine)
  }

  async remaining(): Promise<string[]> {
    return this.ec2.left()
  }

  async crash(id: string): Promise<void> {
    for (const instance of this.ec2.running(id)) instance.state = 'stopped'
  }

  async vanish(id: string): Promise<void> {
    for (const { id: instance } of this.ec2.running(id)) await this.ec2.terminate(instance)
  }

  advance(): void {}

  async settle(): Promise<void> {
    await delay(PACE.maxAgeMs + 1)
  }

  async clear(): Promise<void> {
    this.ec2 = new FakeEc2()
  }

  async close(): Promise<void> {}
}
