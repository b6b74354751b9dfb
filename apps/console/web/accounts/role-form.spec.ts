import { organizations } from '@trestle/contracts/accounts/organizations'
import { canSaveRole, EMPTY_ROLE, roleForm } from './role-form.js'

describe(canSaveRole, () => {
  it.each(['release-manager', ' ops ', 'a', 'x'.repeat(40), '', 'Ops', '1st', 'with space', 'x'.repeat(41), '__proto__'])(
    'of %j is what the contract says',
    (name) => {
      const params = { id: 'org-1', name: name.trim() }
      expect(canSaveRole({ ...EMPTY_ROLE, name })).toBe(organizations.setRole.params.safeParse(params).success)
    },
  )
})

describe(roleForm, () => {
  it('begins with the role as it is', () => {
    const role = { name: 'ops', permissions: ['nodes:read' as const] }
    expect(roleForm({ ...role, custom: true })).toEqual(role)
  })
})
