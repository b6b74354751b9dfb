import { LimitGrant } from '@trestle/contracts/eth-rpc/limits'
import { canGrantLimits, limitsBody, limitsForm, MAX_LIMITS } from './limits-form.js'

const FORM = limitsForm({ perSecond: 50_000, perDay: 1_000_000_000 })

describe(canGrantLimits, () => {
  it.each([
    [{}, true],
    [{ perSecond: 1, perDay: 1 }, true],
    [MAX_LIMITS, true],
    [{ perSecond: MAX_LIMITS.perSecond + 1 }, false],
    [{ perDay: MAX_LIMITS.perDay + 1 }, false],
    [{ perSecond: 0 }, false],
    [{ perSecond: '' }, false],
    [{ perDay: 1.5 }, false],
    [{ perDay: '-' }, false],
  ])('with %j is %s, as the contract has it', (change, expected) => {
    const form = { ...FORM, ...change }
    expect(canGrantLimits(form)).toBe(expected)
    expect(LimitGrant.safeParse(limitsBody(form)).success).toBe(expected)
  })

  it('grants the namespaces that are chosen, in one order', () => {
    expect(FORM.namespaces).toEqual([])
    expect(limitsForm({ perSecond: 1, perDay: 1, namespaces: ['debug'] }).namespaces).toEqual(['debug'])
    expect(limitsBody({ ...FORM, namespaces: ['trace', 'debug'] }).namespaces).toEqual(['debug', 'trace'])
  })

  it('takes numbers that the field still holds as text', () => {
    expect(limitsBody({ ...FORM, perSecond: '7' }).perSecond).toBe(7)
  })
})
