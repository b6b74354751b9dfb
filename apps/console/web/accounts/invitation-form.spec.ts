import { changeField } from '../parts/form.js'
import { canInvite, EMPTY_INVITATION, invitationBody } from './invitation-form.js'

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

describe(invitationBody, () => {
  it('invites a member unless another role is chosen', () => {
    const form = changeField(EMPTY_INVITATION, { type: 'changed', field: 'email', value: ' ada@example.org ' })
    expect(invitationBody(form)).toEqual({ email: 'ada@example.org', roles: ['member'] })
    const auditor = changeField(form, { type: 'changed', field: 'roles', value: ['billing', 'auditor'] })
    expect(invitationBody(auditor).roles).toEqual(['auditor', 'billing'])
  })
})
