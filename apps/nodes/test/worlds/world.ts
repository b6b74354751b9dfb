import type { Blueprint } from '../../src/catalogue/blueprint.js'
import type { NodeDriver } from '../../src/drivers/driver.js'
import type { Fate } from '../fake-driver.js'

/** What there is of machines, whatever becomes of the drivers that make them. */
export interface World {
  readonly standard: Blueprint
  /** What a cluster can be changed to. */
  readonly large: Blueprint
  /** A driver that begins anew, as after a restart; the one before it does nothing more. Whatever it does meets its fates. */
  driver(fate: (point: string) => Fate): NodeDriver
  /** The machines whose program runs: one that has two is there twice. */
  programs(): Promise<string[]>
  /** The machines of which there is anything that lasts. */
  left(): Promise<string[]>
  /** Its program ends by itself. */
  accident(id: string): Promise<void>
  /** Somebody takes it away. */
  vanish(id: string): Promise<void>
  /** Time goes by. */
  advance(ms: number): void
  /** When what goes on by itself has come to its end. */
  calm(): Promise<void>
  clear(): Promise<void>
  close(): Promise<void>
}
