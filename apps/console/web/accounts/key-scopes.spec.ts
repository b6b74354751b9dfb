import { CLIENT_AREAS } from '@trestle/contracts/areas'
import { Scope } from '@trestle/contracts/permissions'
import fc from 'fast-check'
import { AREA_PERMISSIONS, describeScopes, scopesAmong } from './key-scopes.js'

describe(scopesAmong, () => {
  it('has each chosen scope once, and none that a whole area covers', () => {
    fc.assert(
      fc.property(fc.subarray([...Scope.options]), (chosen) => {
        const scopes = scopesAmong(chosen)
        expect(new Set(scopes).size).toBe(scopes.length)
        for (const { area, permissions } of AREA_PERMISSIONS)
          if (scopes.includes(area)) expect(scopes.filter((scope) => permissions.some((each) => each === scope))).toEqual([])
        expect(scopesAmong(scopes)).toEqual(scopes)
      }),
    )
  })

  it('knows nothing else', () => {
    expect(scopesAmong(['keys:write', 'nodes:read', 'constructor'])).toEqual(['nodes:read'])
  })
})

describe(describeScopes, () => {
  it.each([
    [
      ['nodes', 'eth-rpc'],
      ['Nodes', 'Ethereum'],
    ],
    [
      ['nodes:read', 'nodes:call', 'staking:exit'],
      ['Staking: exit', 'Nodes: see, call'],
    ],
    [['eth-rpc', 'eth:call'], ['Ethereum']],
  ] as const)('says of %j %j', (scopes, expected) => {
    expect(describeScopes(scopes)).toEqual(expected)
  })

  it('has a word for every scope there is', () => {
    for (const scope of Scope.options) expect(describeScopes([scope]).join()).not.toContain(':r')
    expect(describeScopes(Scope.options.filter((scope) => !CLIENT_AREAS.some((area) => area === scope))).join()).not.toMatch(/\w:\w/)
  })
})
