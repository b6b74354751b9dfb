import { organizations, ROLES } from '@trestle/contracts/accounts/organizations'
import fc from 'fast-check'
import { changeField } from '../parts/form.js'
import { hasRole, rolesAmong, rolesBody, rolesForm } from './roles-form.js'

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

describe(rolesForm, () => {
  it('begins with the roles of the member, and sends those chosen since', () => {
    const form = rolesForm({ roles: ['owner'] })
    expect(rolesBody(form)).toEqual({ roles: ['owner'] })
    const changed = changeField(form, { type: 'changed', field: 'roles', value: ['auditor', 'admin'] })
    expect(rolesBody(changed)).toEqual({ roles: ['admin', 'auditor'] })
  })

  it('can be sent exactly when the contract accepts it', () => {
    fc.assert(
      fc.property(fc.subarray([...ROLES]), (roles) => {
        expect(hasRole({ roles })).toBe(organizations.changeRoles.body.safeParse(rolesBody({ roles })).success)
      }),
    )
  })
})
