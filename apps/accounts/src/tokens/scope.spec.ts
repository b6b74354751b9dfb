import { CLIENT_AREAS } from '@trestle/contracts/areas'
import { permissionsOfScope, Scope } from '@trestle/contracts/permissions'
import fc from 'fast-check'
import { remainingScopes, requestedScopes } from './scope.js'

const scopes = fc.subarray([...Scope.options], { minLength: 1 })
const permissions = (of: readonly Scope[]) => new Set(of.flatMap((scope) => permissionsOfScope(scope)))

describe(requestedScopes, () => {
  it('are all allowed ones unless some are requested', () => {
    expect(requestedScopes(undefined, CLIENT_AREAS)).toEqual(CLIENT_AREAS)
    expect(requestedScopes('  ', ['nodes:read'])).toEqual(['nodes:read'])
  })

  it('may be permissions of an allowed area', () => {
    expect(requestedScopes('nodes:read staking', ['staking', 'nodes'])).toEqual(['staking', 'nodes:read'])
  })

  it.each(['staking', 'staking:exit', 'nodes', 'accounts', 'keys:write', 'nodes:read staking:read', '*'])(
    'are refused beyond what is allowed: %s',
    (scope) => {
      expect(() => requestedScopes(scope, ['nodes:read'])).toThrow(expect.objectContaining({ code: 'InvalidScope' }))
    },
  )

  it('never permit more than what is allowed', () => {
    fc.assert(
      fc.property(scopes, scopes, (requested, allowed) => {
        let granted: readonly Scope[] = []
        try {
          granted = requestedScopes(requested.join(' '), allowed)
        } catch {}
        expect([...permissions(granted)].filter((each) => !permissions(allowed).has(each))).toEqual([])
      }),
    )
  })
})

describe(remainingScopes, () => {
  it('permit exactly what both the token and its key permit', () => {
    fc.assert(
      fc.property(scopes, scopes, (token, key) => {
        const left = permissions(remainingScopes(token.join(' '), key))
        expect(left).toEqual(new Set([...permissions(token)].filter((each) => permissions(key).has(each))))
      }),
    )
  })
})
