import { type Permission, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { BUILT_IN_ROLES, isOwner, may, mayChangeMember, mayGive, mayGiveRole } from './roles.js'

type Role = keyof typeof ROLE_PERMISSIONS
const as = (...roles: Role[]) => ({
  roles,
  permissions: roles.flatMap((role): readonly Permission[] => ROLE_PERMISSIONS[role]) as Permission[],
})

describe(may, () => {
  it.each([
    [['owner'], true],
    [['admin', 'billing'], true],
    [['member', 'auditor', 'billing'], false],
  ] as const)('of %j manage members: %s', (roles, expected) => {
    expect(may(as(...roles), 'members:write')).toBe(expected)
  })
})

describe(mayChangeMember, () => {
  const change = (roles: Role[], member: string[], own: { name: string; permissions: Permission[] }[] = []) =>
    mayChangeMember(as(...roles), member, [...BUILT_IN_ROLES, ...own])

  it('lets an administrator touch all but owners', () => {
    expect(change(['admin'], ['member'])).toBe(true)
    expect(change(['admin'], ['operator', 'billing'])).toBe(true)
    expect(change(['admin'], ['owner', 'billing'])).toBe(false)
  })

  it('lets an owner touch owners', () => {
    expect(change(['owner'], ['owner'])).toBe(true)
  })

  it('lets nobody else touch anybody', () => {
    expect(change(['member', 'auditor'], ['member'])).toBe(false)
  })

  it('lets nobody take away what they do not have', () => {
    const own = [{ name: 'support', permissions: ['members:write' as const] }]
    const helper = { roles: ['support'], permissions: ['organization:read' as const, 'members:write' as const] }
    expect(mayChangeMember(helper, ['member'], [...BUILT_IN_ROLES, ...own])).toBe(true)
    expect(mayChangeMember(helper, ['viewer'], [...BUILT_IN_ROLES, ...own])).toBe(false)
  })
})

describe(mayGiveRole, () => {
  it.each([
    ['owner', 'owner', true],
    ['owner', 'auditor', true],
    ['admin', 'owner', false],
    ['admin', 'auditor', true],
    ['operator', 'admin', false],
    ['operator', 'developer', true],
    ['viewer', 'developer', false],
  ] as const)('%s may give %s: %s', (own, name, expected) => {
    expect(mayGiveRole(as(own), { name, permissions: [...ROLE_PERMISSIONS[name]] })).toBe(expected)
  })
})

describe(mayGive, () => {
  it('names who reads bills, as an owner or administrator, without reading them', () => {
    expect([mayGive(as('owner'), 'billing:read'), mayGive(as('admin'), 'billing:read'), mayGive(as('operator'), 'billing:read')]).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe(isOwner, () => {
  it('is the owner’s alone', () => {
    expect([isOwner(['owner']), isOwner(['admin'])]).toEqual([true, false])
  })
})
