import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Blueprint } from '../../src/catalogue/blueprint.js'
import { type DesiredMachine, DriverUnavailable, type NodeDriver, type ObservedMachine } from '../../src/drivers/driver.js'

/** A driver, and the backend that it works on. */
export interface DriverHarness {
  /** Another driver on the same backend each time, as after a restart of the service. */
  readonly driver: () => NodeDriver
  /** One that is interrupted before its step of this number, from 0 on: what it did until then is done, and nothing after. */
  readonly interruptedAt: (step: number) => NodeDriver
  readonly blueprint: Blueprint
  /** What it can be changed to. */
  readonly other: Blueprint
  /** A machine that cannot be made here, and the message. */
  readonly impossible?: { readonly blueprint: Blueprint; readonly message: RegExp }
  /** How many programs of a machine are running. */
  readonly programs: (id: string) => Promise<number>
  /** Whether anything of it is left: data, addresses, whatever a driver makes. */
  readonly isLeft: (id: string) => Promise<boolean>
  /** Kills its program from outside. */
  readonly crash: (id: string) => Promise<void>
  /** Calls it at its address; rejects unless it answers. */
  readonly call?: (machine: DesiredMachine, observed: ObservedMachine) => Promise<void>
  readonly close: () => Promise<void>
}

const TIMEOUT_MS = 20_000
const PAUSE_MS = 20

/** What every driver does. */
export function describeDriver(name: string, make: () => Promise<DriverHarness>): void {
  describe(`a driver: ${name}`, () => {
    let harness: DriverHarness
    let driver: NodeDriver
    const known = new Set<string>()

    beforeAll(async () => {
      harness = await make()
    })
    beforeEach(() => {
      driver = harness.driver()
    })
    afterEach(async () => {
      for (const id of known) await removed(harness.driver(), desired({ id }))
      known.clear()
    })
    afterAll(() => harness.close())

    it('makes a machine that answers at its address, and changes nothing when it exists', async () => {
      const machine = desired()
      expect(await driver.observe(machine)).toBeUndefined()
      const observed = await settled(driver, machine)
      expect(observed).toMatchObject({ running: true, matches: true, instance: { imageId: expect.stringMatching(/./) } })
      await answers(machine)
      await driver.apply(machine)
      expect(await driver.observe(machine)).toMatchObject({
        running: true,
        matches: true,
        address: observed.address,
        instance: observed.instance,
      })
      expect(await harness.programs(machine.id)).toBe(1)
    })

    it('stops and starts a machine, and keeps its data and address', async () => {
      const machine = desired()
      const { address } = await settled(driver, machine)
      await settled(driver, { ...machine, running: false })
      expect(await harness.programs(machine.id)).toBe(0)
      expect(await harness.isLeft(machine.id)).toBe(true)
      expect((await settled(driver, machine)).address).toEqual(address)
      await answers(machine)
    })

    it('makes a stopped machine without starting a program', async () => {
      const machine = desired({ running: false })
      await settled(driver, machine)
      expect(await harness.programs(machine.id)).toBe(0)
      expect(await harness.isLeft(machine.id)).toBe(true)
    })

    it('changes the blueprint and the password of a machine', async () => {
      const machine = desired()
      await settled(driver, machine)
      const changed = { ...machine, blueprint: harness.other, password: password() }
      expect(await driver.observe(changed)).toMatchObject({ running: true, matches: false })
      await settled(driver, changed)
      await answers(changed)
      expect(await harness.programs(machine.id)).toBe(1)
    })

    it('removes a machine completely, and does nothing where there is none', async () => {
      const machine = desired()
      await settled(driver, machine)
      await removed(driver, machine)
      await driver.remove(machine.id)
      expect(await harness.programs(machine.id)).toBe(0)
      expect(await harness.isLeft(machine.id)).toBe(false)
      await driver.remove(desired().id)
    })

    it('lists its own machines, and none that is removed', async () => {
      const [one, two, gone] = [desired(), desired({ running: false }), desired({ running: false })]
      for (const machine of [one, two, gone]) await settled(driver, machine)
      await removed(driver, gone)
      expect((await owned(harness.driver())).sort()).toEqual([one.id, two.id].sort())
    })

    it('makes a machine once, however many drivers apply it at a time', async () => {
      const machine = desired()
      const drivers = [driver, driver, harness.driver(), harness.driver()]
      await Promise.all(drivers.map((each) => each.apply(machine)))
      await settled(driver, machine)
      await Promise.all(drivers.map((each) => each.apply(machine)))
      expect(await harness.programs(machine.id)).toBe(1)
      expect(await owned(driver)).toEqual([machine.id])
    })

    it('makes several machines at a time, each at an address of its own', async () => {
      const machines = Array.from({ length: 5 }, () => desired())
      const observed = await Promise.all(machines.map((machine) => settled(driver, machine)))
      const addresses = observed.map(({ address }) => `${address?.host}:${address?.port}`)
      expect(new Set(addresses).size).toBe(machines.length)
    })

    it('finds a machine that another driver made, and reports its exit', async () => {
      const machine = desired()
      const { address } = await settled(driver, machine)
      const next = harness.driver()
      expect(await next.observe(machine)).toMatchObject({ running: true, matches: true, address })
      const changed = new Promise((resolve) => next.onChange(resolve))
      await harness.crash(machine.id)
      expect(await changed).toBe(machine.id)
      // The change it was told of may be an earlier one.
      const crashed = await retryUntilDefined(async () => {
        const observed = await next.observe(machine)
        return observed?.running === false ? observed : undefined
      })
      expect(crashed.problem).toContain('unexpectedly')
      await settled(next, machine)
      expect(await harness.programs(machine.id)).toBe(1)
    })

    it('completes wherever it was interrupted, with one of each object and nothing left over', async () => {
      for (let step = 0; ; step++) {
        const machine = desired()
        const isWhole = await interrupted(harness.interruptedAt(step), (broken) => settled(broken, machine))
        await settled(harness.driver(), machine)
        expect([step, await harness.programs(machine.id)]).toEqual([step, 1])
        await removed(harness.driver(), machine)
        known.delete(machine.id)
        if (isWhole) break
      }
      expect(await owned(driver)).toEqual([])
    })

    it('stops and removes, wherever it was interrupted', async () => {
      for (let step = 0; ; step++) {
        const machine = desired()
        await settled(driver, machine)
        const isStopped = await interrupted(harness.interruptedAt(step), (broken) => settled(broken, { ...machine, running: false }))
        await settled(harness.driver(), { ...machine, running: false })
        const isRemoved = await interrupted(harness.interruptedAt(step), (broken) => removed(broken, machine))
        await removed(harness.driver(), machine)
        expect([step, await harness.programs(machine.id), await harness.isLeft(machine.id)]).toEqual([step, 0, false])
        known.delete(machine.id)
        if (isStopped && isRemoved) break
      }
    })

    it('returns as many of the newest log lines as requested', async () => {
      const machine = desired()
      await settled(driver, machine)
      const all = await retryUntilDefined(async () => {
        const lines = await driver.logs(machine.id, 100)
        return lines.length > 1 ? lines : undefined
      })
      const [last] = await driver.logs(machine.id, 1)
      expect(typeof last).toBe('string')
      expect(await driver.logs(machine.id, 0)).toEqual([])
      expect(all.join('\n')).not.toContain(machine.password)
    })

    it('says what is missing, and makes nothing', async () => {
      expect(await driver.missing(harness.blueprint)).toBeUndefined()
      if (!harness.impossible) return
      const { blueprint, message } = harness.impossible
      expect(await driver.missing(blueprint)).toMatch(message)
      const machine = desired({ blueprint })
      await expect(driver.apply(machine)).rejects.toThrow(DriverUnavailable)
      expect(await driver.observe(machine)).toBeUndefined()
    })

    function desired(more: Partial<DesiredMachine> = {}): DesiredMachine {
      const machine = { id: `node-${randomUUID()}`, blueprint: harness.blueprint, running: true, password: password(), ...more }
      known.add(machine.id)
      return machine
    }

    async function answers(machine: DesiredMachine): Promise<void> {
      if (!harness.call) return
      await retryUntilDefined(async () => {
        const observed = await driver.observe(machine)
        return observed && harness.call?.(machine, observed).then(() => true)
      })
    }
  })
}

/** Takes steps until the machine is in its desired state. */
export function settled(driver: NodeDriver, machine: DesiredMachine): Promise<ObservedMachine> {
  return retryUntilDefined(async () => {
    const observed = await driver.observe(machine)
    if (observed?.matches && observed.running === machine.running) return observed
    await driver.apply(machine)
  })
}

/** Takes steps until nothing of it is left. */
export async function removed(driver: NodeDriver, machine: DesiredMachine): Promise<void> {
  await retryUntilDefined(async () => {
    await driver.remove(machine.id)
    return (await driver.observe(machine)) === undefined || undefined
  })
}

/** Retries until there is a result, and fails with the last error; that of an interrupted driver is thrown at once. */
export async function retryUntilDefined<T>(attempt: () => Promise<T | undefined> | undefined): Promise<T> {
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    try {
      const result = await attempt()
      if (result !== undefined) return result
      if (Date.now() > end) throw new Error('There was no result in time.')
    } catch (error) {
      if ((error as Error).name === 'DriverInterrupted' || Date.now() > end) throw error
    }
    await delay(PAUSE_MS)
  }
}

/** Whether the work was complete before the driver was interrupted. */
async function interrupted(driver: NodeDriver, work: (driver: NodeDriver) => Promise<unknown>): Promise<boolean> {
  try {
    await work(driver)
    return true
  } catch (error) {
    if ((error as Error).name !== 'DriverInterrupted') throw error
    return false
  }
}

async function owned(driver: NodeDriver): Promise<string[]> {
  const ids: string[] = []
  for await (const id of driver.owned()) ids.push(id)
  return ids
}

function password(): string {
  return randomBytes(24).toString('base64url')
}
