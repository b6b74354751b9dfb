import { callLimitColumns, callLimitsIn, changedCallLimits } from './call-limits.js'

const LIMITS = { methods: [{ method: 'eth_getLogs', perSecond: 5 }], perAddress: 20, perSender: 3, perCaller: 4 }

describe(changedCallLimits, () => {
  it('keeps what is not given', () => {
    expect(changedCallLimits(LIMITS, {})).toEqual(LIMITS)
    expect(changedCallLimits(LIMITS, { perAddress: 7 })).toEqual({ ...LIMITS, perAddress: 7 })
  })

  it('has no limit any more where null is given, or an empty list', () => {
    expect(changedCallLimits(LIMITS, { methods: [], perAddress: null, perSender: null, perCaller: null })).toEqual({})
  })

  it.each([LIMITS, {}, { perSender: 1 }])('is read as it was written: %j', (limits) => {
    expect(callLimitsIn(callLimitColumns(limits))).toEqual(limits)
  })
})
