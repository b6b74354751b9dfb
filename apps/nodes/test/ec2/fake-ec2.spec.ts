import { randomUUID } from 'node:crypto'
import type { DesiredMachine } from '../../src/drivers/driver.js'
import type { Ec2Client } from '../../src/drivers/ec2/ec2.client.js'
import { Ec2Driver } from '../../src/drivers/ec2/ec2-driver.engine.js'
import { describeDriver, settled } from '../drivers/driver-suite.js'
import { imageBlueprint, interruptedAfter } from './calls.js'
import { FakeEc2 } from './fake-ec2.js'

const SETTINGS = { installation: 'testing', region: 'us-east-1', subnet: 'subnet-1', securityGroups: [] }

describeDriver('aws-ec2, and a fake EC2', async () => {
  const ec2 = new FakeEc2()
  const drivers: Ec2Driver[] = []
  const over = (calls: FakeEc2) => {
    const driver = driverOver(calls, { pollMs: 20, maxAgeMs: 0 })
    drivers.push(driver)
    return driver
  }
  return {
    driver: () => over(ec2),
    interruptedAt: (step) => over(interruptedAfter(ec2, step)),
    blueprint: imageBlueprint(),
    other: imageBlueprint({ performance: 'large', instanceType: 'm6i.2xlarge', diskGiB: 2048, memoryMiB: 16_384 }),
    impossible: { blueprint: imageBlueprint({ amiPrefix: 'trestle-unknown-' }), message: /no machine image whose name begins with/ },
    programs: async (id) => ec2.running(id).length,
    isLeft: async (id) => ec2.left().includes(id),
    async crash(id) {
      ec2.running(id)[0]!.state = 'stopping'
    },
    async close() {
      for (const driver of drivers) driver.onApplicationShutdown()
    },
  }
})

describe('the cache of resources', () => {
  let ec2: FakeEc2
  let driver: Ec2Driver
  beforeEach(() => {
    ec2 = new FakeEc2()
    driver = driverOver(ec2, { pollMs: 30_000, maxAgeMs: 60_000 })
  })

  it('is filled by one request for all callers within some seconds', async () => {
    const machines = Array.from({ length: 50 }, wanted)
    const maker = driverOver(ec2, { pollMs: 30_000, maxAgeMs: 0 })
    await Promise.all(machines.map((machine) => settled(maker, machine)))
    ec2.described.length = 0
    for (let pass = 0; pass < 2; pass++)
      for (const seen of await Promise.all(machines.map((machine) => driver.observe(machine))))
        expect(seen).toMatchObject({ running: true })
    expect(ec2.described).toEqual(['all'])
  })

  it('is never older than a change of ours', async () => {
    const [one, other] = [wanted(), wanted()]
    await settled(driver, one)
    await settled(driver, other)
    await settled(driver, { ...one, running: false })
    ec2.described.length = 0
    expect(await driver.observe({ ...one, running: false })).toMatchObject({ running: false, matches: true })
    expect(ec2.described).toEqual([one.id])
  })

  it('is requested again after a failure', async () => {
    const machine = wanted()
    await settled(driverOver(ec2, { pollMs: 30_000, maxAgeMs: 0 }), machine)
    const { allResources: fleets } = ec2
    ec2.allResources = () => Promise.reject(new Error('of the test'))
    await expect(driver.observe(machine)).rejects.toThrow('of the test')
    ec2.allResources = fleets
    expect(await driver.observe(machine)).toMatchObject({ running: true })
  })
})

function driverOver(calls: FakeEc2, pace: { pollMs: number; maxAgeMs: number }): Ec2Driver {
  return new Ec2Driver(SETTINGS, calls as unknown as Ec2Client, pace)
}

function wanted(): DesiredMachine {
  return { id: `node-${randomUUID()}`, blueprint: imageBlueprint(), running: true, password: 'a password of the test' }
}
