import { ROLES, type Role } from '@trestle/contracts/accounts/organizations'
import { ALL_PERMISSIONS, type Permission, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import fc from 'fast-check'
import { permissionsOfRoles, roleDefinitions } from '../memberships/role.js'
import {
  checkDissolution,
  checkGrant,
  checkRemoval,
  checkRoleChange,
  describePersonal,
  type Roster,
  requirePermission,
  requireRoomFor,
  requireShared,
  type Seat,
  seatOf,
} from './organization.js'

const missingRole = expect.objectContaining({ code: 'MissingRole', status: 403 })
const lastOwner = expect.objectContaining({ code: 'LastOwner', status: 409 })

describe(requirePermission, () => {
  it.each([
    ['organization:write', ['owner', 'admin']],
    ['organization:delete', ['owner']],
    ['members:write', ['owner', 'admin']],
    ['keys:write', ['owner', 'admin', 'operator', 'developer']],
    ['organization:read', [...ROLES]],
  ] as const)('allows %s only to %j', (permission, allowed: readonly Role[]) => {
    expect(ROLES.filter((role) => passes(() => requirePermission(seat(role), permission, roster())))).toEqual(allowed)
  })

  it('allows what a role of the organization permits', () => {
    const own = roster([], [{ name: 'gatekeeper', permissions: ['members:write'] }])
    expect(passes(() => requirePermission(seat('gatekeeper'), 'members:write', own))).toBe(true)
    expect(() => requirePermission(seat('gatekeeper'), 'organization:write', own)).toThrow(missingRole)
  })
})

describe(seatOf, () => {
  it('does not exist for a user who is not a member', () => {
    expect(() => seatOf('stranger', roster([seat('owner')]))).toThrow(expect.objectContaining({ code: 'UnknownOrganization', status: 404 }))
  })
})

describe(checkGrant, () => {
  it('lets only an owner make an owner', () => {
    expect(() => checkGrant(seat('admin'), ['owner', 'member'], roster())).toThrow(missingRole)
    expect(passes(() => checkGrant(seat('owner'), ['owner'], roster()))).toBe(true)
  })

  it('refuses a role that the organization does not have', () => {
    expect(() => checkGrant(seat('owner'), ['king'], roster())).toThrow(expect.objectContaining({ code: 'UnknownRole', status: 400 }))
  })

  it('lets whoever administers the organization say who reads its bills', () => {
    for (const role of ['owner', 'admin']) expect(passes(() => checkGrant(seat(role), ['billing', 'auditor'], roster()))).toBe(true)
    const own = roster([], [{ name: 'gatekeeper', permissions: [...ROLE_PERMISSIONS.viewer, 'members:write'] }])
    expect(() => checkGrant(seat('gatekeeper'), ['billing'], own)).toThrow(missingRole)
    expect(passes(() => checkGrant(seat('gatekeeper'), ['viewer'], own))).toBe(true)
  })

  it('gives nobody a permission that its giver does not have', () => {
    const role = fc.subarray([...ALL_PERMISSIONS])
    fc.assert(
      fc.property(role, role, (held, given) => {
        const own = roster(
          [],
          [
            { name: 'giver', permissions: held },
            { name: 'gift', permissions: given },
          ],
        )
        const isAdministrator = held.includes('organization:write') && held.includes('members:write')
        const may = (permission: Permission) => held.includes(permission) || (isAdministrator && permission === 'billing:read')
        expect(passes(() => checkGrant(seat('giver'), ['gift'], own))).toBe(given.every(may))
      }),
    )
  })
})

describe(checkRoleChange, () => {
  const [owner, admin, member] = [seat('owner', 'o'), seat('admin', 'a'), seat('member', 'm')]
  const all = roster([owner, admin, member])

  it('lets an admin make another admin, but no owner', () => {
    expect(passes(() => checkRoleChange(all, admin, member, ['admin', 'auditor']))).toBe(true)
    expect(() => checkRoleChange(all, admin, member, ['owner'])).toThrow(missingRole)
  })

  it('lets no admin revoke the role of an owner', () => {
    expect(() => checkRoleChange(all, admin, owner, ['member'])).toThrow(missingRole)
  })

  it('lets nobody take away what they could not give', () => {
    const own = [{ name: 'gatekeeper', permissions: ['organization:read', 'members:write'] }]
    const gatekeeper = seat('gatekeeper', 'g')
    expect(() => checkRoleChange(roster([owner, admin, gatekeeper], own), gatekeeper, admin, ['member'])).toThrow(missingRole)
    expect(() => checkRemoval(roster([owner, admin, gatekeeper], own), gatekeeper, admin)).toThrow(missingRole)
    expect(passes(() => checkRemoval(roster([owner, member, gatekeeper], own), gatekeeper, member))).toBe(true)
  })

  it('keeps the last owner an owner', () => {
    expect(() => checkRoleChange(roster([owner, admin]), owner, owner, ['admin'])).toThrow(lastOwner)
    expect(passes(() => checkRoleChange(roster([owner, seat('owner', 'p')]), owner, owner, ['admin']))).toBe(true)
  })
})

describe(checkRemoval, () => {
  const [owner, admin, member] = [seat('owner', 'o'), seat('admin', 'a'), seat('member', 'm')]

  it('lets everybody leave, but not the last owner', () => {
    expect(passes(() => checkRemoval(roster([owner, member]), member, member))).toBe(true)
    expect(() => checkRemoval(roster([owner, member]), owner, owner)).toThrow(lastOwner)
  })

  it('lets a member remove nobody else and an admin no owner', () => {
    expect(() => checkRemoval(roster([owner, admin, member]), member, admin)).toThrow(missingRole)
    expect(() => checkRemoval(roster([owner, seat('owner', 'p'), admin]), admin, owner)).toThrow(missingRole)
    expect(passes(() => checkRemoval(roster([owner, admin, member]), admin, member))).toBe(true)
  })
})

describe(checkDissolution, () => {
  it('is allowed for an owner who is the only member', () => {
    expect(passes(() => checkDissolution(roster([seat('owner')]), seat('owner')))).toBe(true)
    expect(() => checkDissolution(roster([seat('owner'), seat('member', 'm')]), seat('owner'))).toThrow(
      expect.objectContaining({ code: 'HasMembers' }),
    )
    expect(() => checkDissolution(roster([seat('admin')]), seat('admin'))).toThrow(missingRole)
  })
})

describe(requireRoomFor, () => {
  it('refuses the 1001st member', () => {
    expect(passes(() => requireRoomFor(999))).toBe(true)
    expect(() => requireRoomFor(1000)).toThrow(expect.objectContaining({ code: 'LimitExceeded', status: 409 }))
  })
})

describe('a personal organization', () => {
  const USER = 'user-00000000-0000-4000-8000-000000000001'
  const OWN = 'org-00000000-0000-4000-8000-000000000001'

  it('follows from its user, who owns it', () => {
    const createdAt = new Date('2026-11-21T12:00:00Z')
    expect(describePersonal({ id: USER, displayName: 'Ada', createdAt })).toEqual({
      id: OWN,
      name: 'Ada',
      roles: ['owner'],
      permissions: ROLE_PERMISSIONS.owner,
      personal: true,
      createdAt: '2026-11-21T12:00:00.000Z',
    })
  })

  it('is not shared', () => {
    expect(() => requireShared(USER, OWN)).toThrow(expect.objectContaining({ code: 'PersonalOrganization', status: 409 }))
    expect(passes(() => requireShared(USER, OWN.replace('1', '2')))).toBe(true)
  })
})

describe('any sequence of changes', () => {
  it('leaves an organization with an owner, and gives nobody more than the one who gave it has', () => {
    const roles = fc.subarray([...ROLES], { minLength: 1 })
    const change = fc.record({ actor: fc.nat(4), target: fc.nat(4), roles: fc.option(roles, { nil: undefined }) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        let members: Seat[] = Array.from({ length: 5 }, (_, index) => seat(index === 0 ? 'owner' : 'member', String(index)))
        for (const { actor, target, roles: given } of changes) {
          const [by, whom] = [members.find((each) => each.userId === String(actor)), members.find((each) => each.userId === String(target))]
          if (!by || !whom) continue
          const others = members.filter((each) => each !== whom)
          const all = roster(members)
          if (given && passes(() => checkRoleChange(all, by, whom, given))) {
            const held = permissionsOfRoles(by.roles, all.definitions)
            for (const permission of permissionsOfRoles(given, all.definitions))
              expect(held.has(permission) || permission === 'billing:read').toBe(true)
            members = [...others, { ...whom, roles: given }]
          }
          if (!given && passes(() => checkRemoval(all, by, whom))) members = others
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

function seat(role: string, userId = 'user-1'): Seat {
  return { userId, roles: [role] }
}

function roster(members: readonly Seat[] = [], own: Parameters<typeof roleDefinitions>[0] = []): Roster {
  return { members, definitions: roleDefinitions(own) }
}
