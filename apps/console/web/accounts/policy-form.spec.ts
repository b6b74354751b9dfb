import { isChanged, withMembers } from './policy-form.js'

describe(withMembers, () => {
  it.each([
    [[], []],
    [['members:write'], ['members:write']],
    [['staking:exit'], ['members:write', 'staking:exit']],
    [
      ['nodes:delete', 'staking:exit', 'unknown'],
      ['members:write', 'staking:exit', 'nodes:delete'],
    ],
  ])('of %j is %j', (chosen, expected) => {
    expect(withMembers(chosen)).toEqual(expected)
  })
})

describe(isChanged, () => {
  it('compares both demands, in whatever order', () => {
    const saved = { requireSecondFactor: true, approvals: withMembers(['staking:exit', 'nodes:delete']) }
    expect(isChanged({ ...saved, approvals: [...saved.approvals].reverse() }, saved)).toBe(false)
    expect(isChanged({ ...saved, requireSecondFactor: false }, saved)).toBe(true)
    expect(isChanged({ ...saved, approvals: withMembers(['nodes:delete']) }, saved)).toBe(true)
  })
})
