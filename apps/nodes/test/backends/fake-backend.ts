import type { Blueprint } from '../../src/catalogue/blueprint.js'
import { builtInCatalogue, findByImage } from '../../src/catalogue/catalogue.js'
import { FakeDriver, FakeMachines, type Fate } from '../fake-driver.js'
import type { TestBackend } from './test-backend.js'

const catalogue = builtInCatalogue('local')
export const STANDARD = findByImage(catalogue, 'ltc', 'standard') as Blueprint
export const LARGE = findByImage(catalogue, 'ltc', 'large') as Blueprint

/** Machines that are entries of a map. */
export class FakeBackend implements TestBackend {
  readonly standard = STANDARD
  readonly large = LARGE
  readonly fake = new FakeMachines()

  driver(fate: (point: string) => Fate): FakeDriver {
    return new FakeDriver(this.fake, { fate })
  }

  async programs(): Promise<string[]> {
    return [...this.fake.machines].filter(([, { running }]) => running).map(([id]) => id)
  }

  async remaining(): Promise<string[]> {
    return [...this.fake.machines.keys()]
  }

  async crash(id: string): Promise<void> {
    const found = this.fake.machines.get(id)
    if (found) found.running = false
  }

  async vanish(id: string): Promise<void> {
    this.fake.machines.delete(id)
  }

  advance(): void {}

  async settle(): Promise<void> {}

  async clear(): Promise<void> {
    this.fake.machines.clear()
  }

  async close(): Promise<void> {}
}
