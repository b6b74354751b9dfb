import { ALL_PERMISSIONS } from '@trestle/contracts/permissions'
import { PERMISSION_GROUPS, permissionsAmong } from './permission-groups.js'

describe('the groups of permissions', () => {
  it('have each permission once, under a title in words', () => {
    expect(PERMISSION_GROUPS.flatMap(({ permissions }) => permissions)).toEqual([...ALL_PERMISSIONS])
    for (const { title } of PERMISSION_GROUPS) expect(title).toMatch(/^[A-Z]/)
  })
})

describe(permissionsAmong, () => {
  it('are in the order of the contract, and nothing else is among them', () => {
    expect(permissionsAmong(['eth:call', 'moon:land', 'keys:read'])).toEqual(['keys:read', 'eth:call'])
  })
})
