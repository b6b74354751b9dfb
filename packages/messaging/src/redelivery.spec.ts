import { Problem } from '@trestle/problem/problem'
import { retryDelay } from './redelivery.js'

const broken = new Problem('internal', 'InternalError', 'Broken.')
const away = new Problem('unavailable', 'DatabaseUnavailable', 'Away.')

describe(retryDelay, () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [9, 256_000],
    [10, 300_000],
    [19, 300_000],
  ])('after delivery %i waits %i ms', (deliveries, delayMs) => {
    expect(retryDelay(broken, deliveries)).toBe(delayMs)
  })

  it('gives up after the twentieth delivery', () => {
    expect(retryDelay(broken, 20)).toBeUndefined()
  })

  it('never gives up while a part of the platform is away', () => {
    expect(retryDelay(away, 1_000)).toBe(300_000)
  })
})
