import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { FakeDriver } from '../../test/fake-driver.js'
import { DriverUnavailable } from '../drivers/driver.js'
import { AvailabilityService } from './availability.service.js'
import type { Blueprint } from './blueprint.js'
import { builtInCatalogue, findByImage } from './catalogue.js'

const ltc = findByImage(builtInCatalogue('local'), 'ltc', 'standard') as Blueprint
const eth = findByImage(builtInCatalogue('local'), 'eth', 'standard') as Blueprint

describe(AvailabilityService, () => {
  it('asks the driver once in half a minute for lists, however many are read', async () => {
    const { availability, clock, asked } = setUp(() => undefined)
    await Promise.all(Array.from({ length: 100 }, () => availability.recentlyMissing(ltc, 'node')))
    expect(asked()).toBe(1)
    clock.advance(29_999)
    await availability.recentlyMissing(ltc, 'cluster')
    expect(asked()).toBe(1)
    clock.advance(1)
    await availability.recentlyMissing(ltc, 'node')
    expect(asked()).toBe(2)
  })

  it('asks the driver every time before a creation', async () => {
    const { availability, asked } = setUp(() => 'There is no litecoind.')
    expect([await availability.missing(ltc, 'node'), await availability.missing(ltc, 'node')]).toEqual(
      Array(2).fill('There is no litecoind.'),
    )
    expect(asked()).toBe(2)
  })

  it('says what cannot form a cluster without asking the driver', async () => {
    const { availability, asked } = setUp(() => undefined)
    expect(await availability.recentlyMissing(eth, 'cluster')).toMatch(/cannot form a cluster/)
    expect(await availability.missing(eth, 'cluster')).toMatch(/cannot form a cluster/)
    expect(asked()).toBe(0)
  })

  it('lists the reason while the driver is unavailable, and answers 503 to a creation', async () => {
    const { availability } = setUp(() => {
      throw new DriverUnavailable('The cloud is away.')
    })
    expect(await availability.recentlyMissing(ltc, 'node')).toBe('The cloud is away.')
    await expect(availability.missing(ltc, 'node')).rejects.toMatchObject({
      status: 503,
      code: 'DriverUnavailable',
      detail: 'The cloud is away.',
    })
  })
})

function setUp(missing: () => string | undefined) {
  let count = 0
  const clock = new ManualClock()
  const driver = new FakeDriver(undefined, {
    missing: () => {
      count++
      return missing()
    },
  })
  return { availability: new AvailabilityService(driver, clock), clock, asked: () => count }
}
