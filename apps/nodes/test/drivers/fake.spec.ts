import { DriverInterrupted, FakeDriver, FakeMachines } from '../fake-driver.js'
import { describeDriver } from './driver-suite.js'
import { localBlueprint } from './local-harness.js'

describeDriver('the fake', async () => {
  const world = new FakeMachines()
  const drivers: FakeDriver[] = []
  const options = { missing: ({ network }: { network: string }) => (network === 'mainnet' ? 'It is not available.' : undefined) }
  return {
    driver() {
      const driver = new FakeDriver(world, options)
      drivers.push(driver)
      return driver
    },
    interruptedAt(step) {
      let met = 0
      return new FakeDriver(world, { ...options, fate: () => (met++ >= step ? 'breaks' : undefined) })
    },
    blueprint: localBlueprint('ltc'),
    other: localBlueprint('ltc', 'large'),
    impossible: { blueprint: { ...localBlueprint('ltc'), network: 'mainnet' }, message: /It is not available/ },
    programs: async (id) => (world.machines.get(id)?.running ? 1 : 0),
    isLeft: async (id) => world.machines.has(id),
    async crash(id) {
      drivers.at(-1)?.crash(id)
    },
    close: async () => {},
  }
})

it('is interrupted by an error of its own', async () => {
  const driver = new FakeDriver(new FakeMachines(), { fate: () => 'breaks' })
  await expect(driver.logs('node', 1)).rejects.toThrow(DriverInterrupted)
})
