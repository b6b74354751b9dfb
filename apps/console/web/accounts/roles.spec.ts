import { mayManage, mayOwn, mayTouch } from './roles.js'

describe(mayManage, () => {
  it.each([
    [['owner'], true],
    [['admin', 'billing'], true],
    [['member', 'auditor', 'billing'], false],
  ] as const)('of %j is %s', (roles, may) => {
    expect(mayManage(roles)).toBe(may)
  })
})

describe(mayTouch, () => {
  it('lets an administrator touch all but owners', () => {
    expect(mayTouch(['admin'], ['member'])).toBe(true)
    expect(mayTouch(['admin'], ['owner', 'billing'])).toBe(false)
  })

  it('lets an owner touch owners', () => {
    expect(mayTouch(['owner'], ['owner'])).toBe(true)
  })

  it('lets nobody else touch anybody', () => {
    expect(mayTouch(['member', 'auditor'], ['member'])).toBe(false)
  })
})

describe(mayOwn, () => {
  it('is the owner’s alone', () => {
    expect([mayOwn(['owner']), mayOwn(['admin'])]).toEqual([true, false])
  })
})
