import { ROLES, type Role } from '@trestle/contracts/accounts/organizations'
import fc from 'fast-check'
import { checkDissolution, checkInvite, checkRemoval, checkRoleChange, requireRole, type Seat, seatOf } from './organization.js'

const missingRole = expect.objectContaining({ code: 'MissingRole', status: 403 })
const lastOwner = expect.objectContaining({ code: 'LastOwner', status: 409 })

describe(requireRole, () => {
  it.each([
    ['rename', ['owner', 'admin']],
    ['dissolve', ['owner']],
    ['invite', ['owner', 'admin']],
    ['changeRoles', ['owner', 'admin']],
    ['removeMember', ['owner', 'admin']],
    ['makeOwner', ['owner']],
  ] as const)('allows to %s only to %j', (action, allowed: readonly Role[]) => {
    expect(ROLES.filter((role) => passes(() => requireRole([role], action)))).toEqual(allowed)
  })
})

describe(seatOf, () => {
  it('does not exist for a user who is not a member', () => {
    expect(() => seatOf('stranger', [seat('owner')])).toThrow(expect.objectContaining({ code: 'UnknownOrganization', status: 404 }))
  })
})

describe(checkInvite, () => {
  it('lets only an owner invite an owner', () => {
    expect(() => checkInvite(seat('admin'), ['owner', 'member'])).toThrow(missingRole)
    expect(passes(() => checkInvite(seat('owner'), ['owner']))).toBe(true)
  })
})

describe(checkRoleChange, () => {
  const [owner, admin, member] = [seat('owner', 'o'), seat('admin', 'a'), seat('member', 'm')]

  it('lets an admin make another admin, but no owner', () => {
    expect(passes(() => checkRoleChange([owner, admin, member], admin, member, ['admin', 'auditor']))).toBe(true)
    expect(() => checkRoleChange([owner, admin, member], admin, member, ['owner'])).toThrow(missingRole)
  })

  it('lets no admin revoke the role of an owner', () => {
    expect(() => checkRoleChange([owner, admin, member], admin, owner, ['member'])).toThrow(missingRole)
  })

  it('keeps the last owner an owner', () => {
    expect(() => checkRoleChange([owner, admin], owner, owner, ['admin'])).toThrow(lastOwner)
    expect(passes(() => checkRoleChange([owner, seat('owner', 'p')], owner, owner, ['admin']))).toBe(true)
  })
})

describe(checkRemoval, () => {
  const [owner, admin, member] = [seat('owner', 'o'), seat('admin', 'a'), seat('member', 'm')]

  it('lets everybody leave, but not the last owner', () => {
    expect(passes(() => checkRemoval([owner, member], member, member))).toBe(true)
    expect(() => checkRemoval([owner, member], owner, owner)).toThrow(lastOwner)
  })

  it('lets a member remove nobody else and an admin no owner', () => {
    expect(() => checkRemoval([owner, admin, member], member, admin)).toThrow(missingRole)
    expect(() => checkRemoval([owner, seat('owner', 'p'), admin], admin, owner)).toThrow(missingRole)
    expect(passes(() => checkRemoval([owner, admin, member], admin, member))).toBe(true)
  })
})

describe(checkDissolution, () => {
  it('is allowed for an owner who is the only member', () => {
    expect(passes(() => checkDissolution([seat('owner')], seat('owner')))).toBe(true)
    expect(() => checkDissolution([seat('owner'), seat('member', 'm')], seat('owner'))).toThrow(
      expect.objectContaining({ code: 'HasMembers' }),
    )
    expect(() => checkDissolution([seat('admin')], seat('admin'))).toThrow(missingRole)
  })
})

describe('any sequence of changes', () => {
  it('leaves an organization with an owner', () => {
    const roles = fc.subarray([...ROLES], { minLength: 1 })
    const change = fc.record({ actor: fc.nat(4), target: fc.nat(4), roles: fc.option(roles, { nil: undefined }) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        let members: Seat[] = Array.from({ length: 5 }, (_, index) => seat(index === 0 ? 'owner' : 'member', String(index)))
        for (const { actor, target, roles: given } of changes) {
          const [by, whom] = [members.find((each) => each.userId === String(actor)), members.find((each) => each.userId === String(target))]
          if (!by || !whom) continue
          const others = members.filter((each) => each !== whom)
          if (given && passes(() => checkRoleChange(members, by, whom, given))) members = [...others, { ...whom, roles: given }]
          if (!given && passes(() => checkRemoval(members, by, whom))) members = others
        }
        expect(members.some((each) => each.roles.includes('owner'))).toBe(true)
      }),
    )
  })
})

function passes(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

function seat(role: Role, userId = 'user-1'): Seat {
  return { userId, roles: [role] }
}
