import { DriverUnavailable } from '../src/drivers/driver.js'
import { DriverInterrupted, type Fate } from './fake-driver.js'

/** Of a part, everything of these names goes through `meet`. */
export function intercepted<T extends object>(
  part: T,
  names: ReadonlySet<string>,
  meet: (name: string, call: () => Promise<unknown>) => unknown,
): T {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (!names.has(String(name))) return value.bind(target)
      return async (...args: unknown[]) => meet(String(name), () => value.apply(target, args))
    },
  })
}

/** Two fates meet everything of these names: one before it is done, and one after it, when only its answer is lost. */
export function fated<T extends object>(part: T, names: ReadonlySet<string>, fate: (point: string) => Fate): T {
  const befall = (point: string) => {
    const its = fate(point)
    if (its === 'fails') throw new DriverUnavailable(`It fails ${point}.`)
    if (its === 'breaks') throw new DriverInterrupted(point)
  }
  return intercepted(part, names, async (name, call) => {
    befall(`before ${name}`)
    const result = await call()
    befall(`after ${name}`)
    return result
  })
}
