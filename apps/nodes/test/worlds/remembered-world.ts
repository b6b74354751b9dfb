import type { Blueprint } from '../../src/catalogue/blueprint.js'
import { builtInCatalogue, findByImage } from '../../src/catalogue/catalogue.js'
import { FakeDriver, FakeWorld, type Fate } from '../fake-driver.js'
import type { World } from './world.js'

const catalogue = builtInCatalogue('local')
export const STANDARD = findByImage(catalogue, 'ltc', 'standard') as Blueprint
export const LARGE = findByImage(catalogue, 'ltc', 'large') as Blueprint

/** Machines that are entries of a map. */
export class RememberedWorld implements World {
  readonly standard = STANDARD
  readonly large = LARGE
  readonly fake = new FakeWorld()

  driver(fate: (point: string) => Fate): FakeDriver {
    return new FakeDriver(this.fake, { fate })
  }

  async programs(): Promise<string[]> {
    return [...this.fake.machines].filter(([, { running }]) => running).map(([id]) => id)
  }

  async left(): Promise<string[]> {
    return [...this.fake.machines.keys()]
  }

  async accident(id: string): Promise<void> {
    const found = this.fake.machines.get(id)
    if (found) found.running = false
  }

  async vanish(id: string): Promise<void> {
    this.fake.machines.delete(id)
  }

  advance(): void {}

  async calm(): Promise<void> {}

  async clear(): Promise<void> {
    this.fake.machines.clear()
  }

  async close(): Promise<void> {}
}
