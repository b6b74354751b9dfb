import { isOwner, mayChangeMember, mayManage } from './roles.js'

describe(mayManage, () => {
  it.each([
    [['owner'], true],
    [['admin', 'billing'], true],
    [['member', 'auditor', 'billing'], false],
  ] as const)('of %j is %s', (roles, may) => {
    expect(mayManage(roles)).toBe(may)
  })
})

describe(mayChangeMember, () => {
  it('lets an administrator touch all but owners', () => {
    expect(mayChangeMember(['admin'], ['member'])).toBe(true)
    expect(mayChangeMember(['admin'], ['owner', 'billing'])).toBe(false)
  })

  it('lets an owner touch owners', () => {
    expect(mayChangeMember(['owner'], ['owner'])).toBe(true)
  })

  it('lets nobody else touch anybody', () => {
    expect(mayChangeMember(['member', 'auditor'], ['member'])).toBe(false)
  })
})

describe(isOwner, () => {
  it('is the owner’s alone', () => {
    expect([isOwner(['owner']), isOwner(['admin'])]).toEqual([true, false])
  })
})
