import { ROLES } from '@trestle/contracts/accounts/organizations'
import fc from 'fast-check'
import { canInvite, EMPTY_INVITATION, invitationBody, reduceInvitation, rolesAmong } from './invitation-form.js'

describe(rolesAmong, () => {
  it('has each chosen role once, in the order of the contract', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ROLES, 'king')), (chosen) => {
        const roles = rolesAmong(chosen)
        expect(roles).toEqual(ROLES.filter((role) => roles.includes(role)))
        expect(new Set(roles)).toEqual(new Set(chosen.filter((role) => role !== 'king')))
      }),
    )
  })
})

describe(canInvite, () => {
  it.each([
    ['', ['member'], false],
    ['  ', ['member'], false],
    ['ada@example.org', [], false],
    ['ada@example.org', ['auditor'], true],
  ] as const)('of %j as %j is %s', (email, roles, expected) => {
    expect(canInvite({ email, roles })).toBe(expected)
  })
})

describe(reduceInvitation, () => {
  it('invites a member unless another role is chosen', () => {
    const form = reduceInvitation(EMPTY_INVITATION, { type: 'changed', field: 'email', value: ' ada@example.org ' })
    expect(invitationBody(form)).toEqual({ email: 'ada@example.org', roles: ['member'] })
    const auditor = reduceInvitation(form, { type: 'changed', field: 'roles', value: ['billing', 'auditor'] })
    expect(invitationBody(auditor).roles).toEqual(['auditor', 'billing'])
  })
})
