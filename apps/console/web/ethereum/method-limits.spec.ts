import { methodLimitEntries, methodLimitsBody } from './method-limits.js'

it('reads entries as they are shown', () => {
  const limits = [
    { method: 'eth_getLogs', perSecond: 5 },
    { method: 'debug_*', perSecond: 1 },
  ]
  expect(methodLimitEntries(limits)).toEqual(['eth_getLogs=5', 'debug_*=1'])
  expect(methodLimitsBody(methodLimitEntries(limits))).toEqual(limits)
  expect(methodLimitEntries(undefined)).toEqual([])
})

it.each(['eth_getLogs', 'eth_getLogs=', 'eth_getLogs=x'])('has no number for %s, which the platform refuses', (entry) => {
  expect(methodLimitsBody([entry])).toEqual([{ method: 'eth_getLogs', perSecond: Number.NaN }])
})
