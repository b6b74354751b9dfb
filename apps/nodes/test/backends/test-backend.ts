import type { Blueprint } from '../../src/catalogue/blueprint.js'
import type { NodeDriver } from '../../src/drivers/driver.js'
import type { Fate } from '../fake-driver.js'

/** The backend of a driver, which outlives the driver. */
export interface TestBackend {
  readonly standard: Blueprint
  /** A blueprint that a cluster can be changed to. */
  readonly large: Blueprint
  /** A new driver, as after a restart; the one before does nothing any more. `fate` decides the outcome of each of its calls. */
  driver(fate: (point: string) => Fate): NodeDriver
  /** The machines whose program runs; one with two is listed twice. */
  programs(): Promise<string[]>
  /** The machines of which anything is left. */
  remaining(): Promise<string[]>
  /** Kills its program. */
  crash(id: string): Promise<void>
  /** Removes it from outside. */
  vanish(id: string): Promise<void>
  /** Advances the clock. */
  advance(ms: number): void
  /** Resolves when nothing changes by itself any more. */
  settle(): Promise<void>
  clear(): Promise<void>
  close(): Promise<void>
}
