import { parseGrant } from './grant.js'
import { remainingScopes, requestedScopes } from './scope.js'

describe(parseGrant, () => {
  it.each(['password', 'client_credentials', 'refresh_token', '', 'ClientCredentials', 'clientCredentials '])(
    'does not support %j',
    (grantType) => {
      expect(() => parseGrant({ grantType })).toThrow(expect.objectContaining({ code: 'UnsupportedGrantType', status: 400 }))
    },
  )

  it.each([
    [{ grantType: 'clientCredentials', clientSecret: 's' }, 'body.clientId'],
    [{ grantType: 'clientCredentials', clientId: 'c' }, 'body.clientSecret'],
    [{ grantType: 'refreshToken', clientId: 'c', clientSecret: 's' }, 'body.refreshToken'],
  ])('tells which member is missing in %j', (request, path) => {
    expect(() => parseGrant(request)).toThrow(
      expect.objectContaining({ code: 'InvalidInput', status: 400, errors: [expect.objectContaining({ path })] }),
    )
  })

  it('needs no client for a refresh', () => {
    expect(parseGrant({ grantType: 'refreshToken', refreshToken: 'r' })).toEqual({ type: 'refreshToken', refreshToken: 'r' })
  })
})

describe(requestedScopes, () => {
  it.each([undefined, '', '  '])('gives everything allowed for %j', (requested) => {
    expect(requestedScopes(requested, ['staking', 'nodes'])).toEqual(['staking', 'nodes'])
  })

  it('narrows, in the order of the areas', () => {
    expect(requestedScopes('nodes staking nodes', ['staking', 'nodes', 'eth-rpc'])).toEqual(['staking', 'nodes'])
  })

  it.each(['nodes accounts', 'manager', 'staking'])('refuses %j to a client of nodes alone', (requested) => {
    expect(() => requestedScopes(requested, ['nodes'])).toThrow(expect.objectContaining({ code: 'InvalidScope' }))
  })
})

describe(remainingScopes, () => {
  it('never gives a refresh token more than it was issued with', () => {
    expect(remainingScopes('nodes', ['staking', 'nodes'])).toEqual(['nodes'])
  })
})
