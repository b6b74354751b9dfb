import { randomUUID } from 'node:crypto'
import type { DesiredMachine } from '../../src/drivers/driver.js'
import type { Ec2Calls } from '../../src/drivers/ec2/ec2.client.js'
import { Ec2Driver } from '../../src/drivers/ec2/ec2-driver.service.js'
import { describeDriver, settled } from '../drivers/driver-suite.js'
import { aBlueprint, breaking } from './calls.js'
import { FakeEc2 } from './fake-ec2.js'

const SETTINGS = { installation: 'testing', region: 'us-east-1', subnet: 'subnet-1', securityGroups: [] }

describeDriver('aws-ec2, and a fake EC2', async () => {
  const ec2 = new FakeEc2()
  const drivers: Ec2Driver[] = []
  const over = (calls: FakeEc2) => {
    const driver = driverOver(calls, { lookMs: 20, viewMs: 0 })
    drivers.push(driver)
    return driver
  }
  return {
    driver: () => over(ec2),
    breakingAt: (step) => over(breaking(ec2, step)),
    blueprint: aBlueprint(),
    other: aBlueprint({ performance: 'large', instanceType: 'm6i.2xlarge', diskGiB: 2048, memoryMiB: 16_384 }),
    impossible: { blueprint: aBlueprint({ amiPrefix: 'trestle-unknown-' }), message: /no machine image whose name begins with/ },
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

describe('what is described of machines', () => {
  let ec2: FakeEc2
  let driver: Ec2Driver
  beforeEach(() => {
    ec2 = new FakeEc2()
    driver = driverOver(ec2, { lookMs: 30_000, viewMs: 60_000 })
  })

  it('is all at once for whoever wants to know within some seconds', async () => {
    const machines = Array.from({ length: 50 }, wanted)
    const maker = driverOver(ec2, { lookMs: 30_000, viewMs: 0 })
    await Promise.all(machines.map((machine) => settled(maker, machine)))
    ec2.described.length = 0
    for (let pass = 0; pass < 2; pass++)
      for (const seen of await Promise.all(machines.map((machine) => driver.observe(machine))))
        expect(seen).toMatchObject({ running: true })
    expect(ec2.described).toEqual(['all'])
  })

  it('is never from before a change of ours', async () => {
    const [one, other] = [wanted(), wanted()]
    await settled(driver, one)
    await settled(driver, other)
    await settled(driver, { ...one, running: false })
    ec2.described.length = 0
    expect(await driver.observe({ ...one, running: false })).toMatchObject({ running: false, matches: true })
    expect(ec2.described).toEqual([one.id])
  })

  it('is asked for again after it could not be had', async () => {
    const machine = wanted()
    await settled(driverOver(ec2, { lookMs: 30_000, viewMs: 0 }), machine)
    const { fleets } = ec2
    ec2.fleets = () => Promise.reject(new Error('of the test'))
    await expect(driver.observe(machine)).rejects.toThrow('of the test')
    ec2.fleets = fleets
    expect(await driver.observe(machine)).toMatchObject({ running: true })
  })
})

function driverOver(calls: FakeEc2, pace: { lookMs: number; viewMs: number }): Ec2Driver {
  return new Ec2Driver(SETTINGS, calls as unknown as Ec2Calls, pace)
}

function wanted(): DesiredMachine {
  return { id: `node-${randomUUID()}`, blueprint: aBlueprint(), running: true, password: 'a password of the test' }
}
