import { APPROVABLE_PERMISSIONS, type Permission } from '@trestle/contracts/permissions'
import fc from 'fast-check'
import { roleDefinitions } from '../memberships/role.js'
import type { Seat } from './organization.js'
import { checkPolicy } from './policy.js'

const roster = (...members: Partial<Seat>[]) => ({
  members: members.map((member, index) => ({ userId: `user-${index}`, roles: ['owner'], ...member })),
  definitions: roleDefinitions([{ name: 'inviter', permissions: ['members:write'] }]),
})
const needing = (...approvals: (typeof APPROVABLE_PERMISSIONS)[number][]) => ({ requireSecondFactor: false, approvals })

describe(checkPolicy, () => {
  it('puts members under four eyes with anything else', () => {
    const two = roster({}, {})
    fc.assert(
      fc.property(fc.subarray([...APPROVABLE_PERMISSIONS]), (approvals) => {
        const expected: Permission[] =
          approvals.length === 0 ? [] : APPROVABLE_PERMISSIONS.filter((each) => each === 'members:write' || approvals.includes(each))
        expect(checkPolicy(needing(...approvals), two).approvals).toEqual(expected)
      }),
    )
  })

  it.each([
    ['one person', roster({})],
    ['a person and a service account', roster({}, { roles: ['admin'], serviceAccount: true })],
    ['two, one of whom may not change members', roster({}, { roles: ['operator'] })],
    ['two, one of whom may not exit', roster({}, { roles: ['inviter'] })],
  ])('is refused where nobody could approve: %s', (_, members) => {
    expect(() => checkPolicy(needing('staking:exit'), members)).toThrow(expect.objectContaining({ status: 409, code: 'TooFewApprovers' }))
  })

  it('demands a second factor of one person too', () => {
    expect(checkPolicy({ requireSecondFactor: true, approvals: [] }, roster({}))).toEqual({ requireSecondFactor: true, approvals: [] })
  })

  it('can be turned off by whoever is left', () => {
    expect(checkPolicy(needing(), roster({}))).toEqual(needing())
  })
})
