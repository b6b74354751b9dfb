import type { Blueprint } from '../../src/catalogue/blueprint.js'
import { aBlueprint } from '../a-blueprint.js'
import { DriverInterrupted } from '../fake-driver.js'
import { intercepted } from '../intercepted.js'

/** The methods of Ec2Client that change something. */
export const CHANGES = new Set(['createVolume', 'launch', 'numberLaunch', 'attach', 'resize', 'deleteVolume', 'start', 'stop', 'terminate'])

export function imageBlueprint(more: Partial<Blueprint> = {}): Blueprint {
  return aBlueprint({ amiPrefix: 'trestle-core-31.0-', ...more })
}

/** A client that fails every change after so many steps. */
export function interruptedAfter<T extends object>(calls: T, steps: number): T {
  let left = steps
  return intercepted(calls, CHANGES, (name, call) => {
    if (left-- <= 0) throw new DriverInterrupted(name)
    return call()
  })
}
