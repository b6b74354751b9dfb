import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Blueprint } from '../../src/catalogue/blueprint.js'
import { type DesiredMachine, DriverUnavailable, type NodeDriver, type ObservedMachine } from '../../src/drivers/driver.js'

/** A driver, and the world that it works on. */
export interface Harness {
  /** Another driver over the same world each time, as after a restart of the service. */
  readonly driver: () => NodeDriver
  /** One that is broken off before its step of this number, from 0 on: whatever it did until then is done, and nothing else ever. */
  readonly breakingAt: (step: number) => NodeDriver
  readonly blueprint: Blueprint
  /** What it can be changed to. */
  readonly other: Blueprint
  /** What cannot be made here, and what is said of it. */
  readonly impossible?: { readonly blueprint: Blueprint; readonly message: RegExp }
  /** How many programs there are of a machine; running ones only. */
  readonly programs: (id: string) => Promise<number>
  /** Whether anything is left of it: data, addresses, whatever a driver makes. */
  readonly isLeft: (id: string) => Promise<boolean>
  /** Ends its program from outside, as an accident would. */
  readonly crash: (id: string) => Promise<void>
  /** Asks it something at its address; rejects unless it answers. */
  readonly call?: (machine: DesiredMachine, seen: ObservedMachine) => Promise<void>
  readonly close: () => Promise<void>
}

const PATIENCE_MS = 20_000
const PAUSE_MS = 20

/** What every driver of machines does. */
export function describeDriver(name: string, make: () => Promise<Harness>): void {
  describe(`a driver: ${name}`, () => {
    let harness: Harness
    let driver: NodeDriver
    const known = new Set<string>()

    beforeAll(async () => {
      harness = await make()
    })
    beforeEach(() => {
      driver = harness.driver()
    })
    afterEach(async () => {
      for (const id of known) await removed(harness.driver(), wanted({ id }))
      known.clear()
    })
    afterAll(() => harness.close())

    it('makes a machine that answers at its address, and nothing more when it is there', async () => {
      const machine = wanted()
      expect(await driver.observe(machine)).toBeUndefined()
      const seen = await settled(driver, machine)
      expect(seen).toMatchObject({ running: true, matches: true, instance: { imageId: expect.stringMatching(/./) } })
      await answers(machine)
      await driver.apply(machine)
      expect(await driver.observe(machine)).toMatchObject({ running: true, matches: true, address: seen.address, instance: seen.instance })
      expect(await harness.programs(machine.id)).toBe(1)
    })

    it('stops it and starts it again, with its data and its address', async () => {
      const machine = wanted()
      const { address } = await settled(driver, machine)
      await settled(driver, { ...machine, running: false })
      expect(await harness.programs(machine.id)).toBe(0)
      expect(await harness.isLeft(machine.id)).toBe(true)
      expect((await settled(driver, machine)).address).toEqual(address)
      await answers(machine)
    })

    it('makes a machine that is not to run, without a program', async () => {
      const machine = wanted({ running: false })
      await settled(driver, machine)
      expect(await harness.programs(machine.id)).toBe(0)
      expect(await harness.isLeft(machine.id)).toBe(true)
    })

    it('changes what it is made of, and its password', async () => {
      const machine = wanted()
      await settled(driver, machine)
      const changed = { ...machine, blueprint: harness.other, password: password() }
      expect(await driver.observe(changed)).toMatchObject({ running: true, matches: false })
      await settled(driver, changed)
      await answers(changed)
      expect(await harness.programs(machine.id)).toBe(1)
    })

    it('leaves nothing of what it removes, and finds nothing to do where nothing is', async () => {
      const machine = wanted()
      await settled(driver, machine)
      await removed(driver, machine)
      await driver.remove(machine.id)
      expect(await harness.programs(machine.id)).toBe(0)
      expect(await harness.isLeft(machine.id)).toBe(false)
      await driver.remove(wanted().id)
    })

    it('names what is its own, and nothing that is gone', async () => {
      const [one, two, gone] = [wanted(), wanted({ running: false }), wanted({ running: false })]
      for (const machine of [one, two, gone]) await settled(driver, machine)
      await removed(driver, gone)
      expect((await owned(harness.driver())).sort()).toEqual([one.id, two.id].sort())
    })

    it('makes one of a machine, however many are at it at a time', async () => {
      const machine = wanted()
      const drivers = [driver, driver, harness.driver(), harness.driver()]
      await Promise.all(drivers.map((each) => each.apply(machine)))
      await settled(driver, machine)
      await Promise.all(drivers.map((each) => each.apply(machine)))
      expect(await harness.programs(machine.id)).toBe(1)
      expect(await owned(driver)).toEqual([machine.id])
    })

    it('makes different machines at a time, each at an address of its own', async () => {
      const machines = Array.from({ length: 5 }, () => wanted())
      const seen = await Promise.all(machines.map((machine) => settled(driver, machine)))
      const addresses = seen.map(({ address }) => `${address?.host}:${address?.port}`)
      expect(new Set(addresses).size).toBe(machines.length)
    })

    it('finds again what another driver has made, and tells of its end', async () => {
      const machine = wanted()
      const { address } = await settled(driver, machine)
      const next = harness.driver()
      expect(await next.observe(machine)).toMatchObject({ running: true, matches: true, address })
      const told = new Promise((resolve) => next.onChange(resolve))
      await harness.crash(machine.id)
      expect(await told).toBe(machine.id)
      expect(await next.observe(machine)).toMatchObject({ running: false, problem: expect.stringContaining('ended by itself') })
      await settled(next, machine)
      expect(await harness.programs(machine.id)).toBe(1)
    })

    it('goes on wherever it was broken off, with one of each and nothing left over', async () => {
      for (let step = 0; ; step++) {
        const machine = wanted()
        const isWhole = await brokenOff(harness.breakingAt(step), (broken) => settled(broken, machine))
        await settled(harness.driver(), machine)
        expect([step, await harness.programs(machine.id)]).toEqual([step, 1])
        await removed(harness.driver(), machine)
        known.delete(machine.id)
        if (isWhole) break
      }
      expect(await owned(driver)).toEqual([])
    })

    it('ends and removes, wherever it was broken off', async () => {
      for (let step = 0; ; step++) {
        const machine = wanted()
        await settled(driver, machine)
        const isStopped = await brokenOff(harness.breakingAt(step), (broken) => settled(broken, { ...machine, running: false }))
        await settled(harness.driver(), { ...machine, running: false })
        const isRemoved = await brokenOff(harness.breakingAt(step), (broken) => removed(broken, machine))
        await removed(harness.driver(), machine)
        expect([step, await harness.programs(machine.id), await harness.isLeft(machine.id)]).toEqual([step, 0, false])
        known.delete(machine.id)
        if (isStopped && isRemoved) break
      }
    })

    it('tells the newest lines of the log, as many as were asked for', async () => {
      const machine = wanted()
      await settled(driver, machine)
      const all = await until(async () => {
        const lines = await driver.logs(machine.id, 100)
        return lines.length > 1 ? lines : undefined
      })
      const [last] = await driver.logs(machine.id, 1)
      expect(typeof last).toBe('string')
      expect(await driver.logs(machine.id, 0)).toEqual([])
      expect(all.join('\n')).not.toContain(machine.password)
    })

    it('says what is missing, and makes nothing then', async () => {
      expect(await driver.missing(harness.blueprint)).toBeUndefined()
      if (!harness.impossible) return
      const { blueprint, message } = harness.impossible
      expect(await driver.missing(blueprint)).toMatch(message)
      const machine = wanted({ blueprint })
      await expect(driver.apply(machine)).rejects.toThrow(DriverUnavailable)
      expect(await driver.observe(machine)).toBeUndefined()
    })

    function wanted(more: Partial<DesiredMachine> = {}): DesiredMachine {
      const machine = { id: `node-${randomUUID()}`, blueprint: harness.blueprint, running: true, password: password(), ...more }
      known.add(machine.id)
      return machine
    }

    async function answers(machine: DesiredMachine): Promise<void> {
      if (!harness.call) return
      await until(async () => {
        const seen = await driver.observe(machine)
        return seen && harness.call?.(machine, seen).then(() => true)
      })
    }
  })
}

/** Takes steps until the machine is what is wanted. */
export function settled(driver: NodeDriver, machine: DesiredMachine): Promise<ObservedMachine> {
  return until(async () => {
    const seen = await driver.observe(machine)
    if (seen?.matches && seen.running === machine.running) return seen
    await driver.apply(machine)
  })
}

/** Takes steps until there is nothing of it. */
export async function removed(driver: NodeDriver, machine: DesiredMachine): Promise<void> {
  await until(async () => {
    await driver.remove(machine.id)
    return (await driver.observe(machine)) === undefined || undefined
  })
}

/** Tries until there is an answer; the error it fails with in the end is the last one's, those of a driver that was broken off come at once. */
export async function until<T>(attempt: () => Promise<T | undefined> | undefined): Promise<T> {
  const patience = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      const result = await attempt()
      if (result !== undefined) return result
      if (Date.now() > patience) throw new Error('It did not come to pass.')
    } catch (error) {
      if ((error as Error).name === 'Broken' || Date.now() > patience) throw error
    }
    await delay(PAUSE_MS)
  }
}

/** Whether the work was done before the driver was broken off. */
async function brokenOff(driver: NodeDriver, work: (driver: NodeDriver) => Promise<unknown>): Promise<boolean> {
  try {
    await work(driver)
    return true
  } catch (error) {
    if ((error as Error).name !== 'Broken') throw error
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
