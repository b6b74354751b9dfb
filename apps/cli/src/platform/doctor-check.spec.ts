import { clockCheck, nodeCheck, spaceCheck } from './doctor-check.js'
import { areaStateOf } from './health.js'

describe(clockCheck, () => {
  const at = (iso: string) => new Date(iso)
  it.each([
    ['Sun, 22 Nov 2026 12:00:00 GMT', '2026-11-22T12:00:00.700Z', 'ok', 'right'],
    ['Sun, 22 Nov 2026 12:00:00 GMT', '2026-11-22T12:00:20.500Z', 'ok', '20 s fast'],
    ['Sun, 22 Nov 2026 12:00:00 GMT', '2026-11-22T11:58:00.500Z', 'missing', '120 s slow'],
    [null, '2026-11-22T12:00:00.000Z', 'optional', 'the server sends no Date'],
  ])('of %s at %s is %s', (date, now, state, found) => {
    expect(clockCheck(date, at(now), at(now))).toMatchObject({ state, found })
  })
})

it.each([
  ['20.0.0', 'ok'],
  ['18.20.1', 'missing'],
])('finds Node %s %s', (version, state) => {
  expect(nodeCheck(version).state).toBe(state)
})

it('finds less room than is wanted', () => {
  expect([spaceCheck('disk', 2 ** 30, 3), spaceCheck('disk', 3 * 2 ** 30, 3)].map(({ state, found }) => [state, found])).toEqual([
    ['optional', '1.0 GiB free'],
    ['ok', '3.0 GiB free'],
  ])
})

describe(areaStateOf, () => {
  it.each([
    [200, { name: 'btc', version: '1.0.0' }, { state: 'up', version: '1.0.0' }],
    [404, { code: 'NotFound' }, { state: 'up' }],
    [503, { code: 'ServiceNotDeployed' }, { state: 'not deployed' }],
    [503, { code: 'ServiceUnavailable' }, { state: 'down', reason: 'ServiceUnavailable' }],
    [200, undefined, { state: 'down', reason: 'answered 200' }],
    [404, undefined, { state: 'down', reason: 'answered 404' }],
  ])('of %i with %j is %j', (status, answer, health) => {
    expect(areaStateOf(status, answer)).toEqual(health)
  })
})
