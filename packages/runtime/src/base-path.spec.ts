import { withoutBasePath } from './base-path.js'

describe(withoutBasePath, () => {
  it.each([
    ['/accounts', '/'],
    ['/accounts/', '/'],
    ['/accounts?x=1', '/?x=1'],
    ['/accounts/users/me?x=1', '/users/me?x=1'],
    ['/users/me', '/users/me'],
    ['/accountsx', '/accountsx'],
    ['//accounts/users/me', '//accounts/users/me'],
    ['/accounts//users/me', '//users/me'],
    ['/accounts/accounts/users/me', '/accounts/users/me'],
    ['http://host/accounts/users/me', '/users/me'],
    ['http://host', '/'],
    ['HTTP://host?x=1', '/?x=1'],
    ['*', '*'],
  ])('routes %s as %s', (target, path) => {
    expect(withoutBasePath(target, '/accounts', new Set())).toBe(path)
  })

  it.each([
    ['/nodes', '/nodes'],
    ['/nodes?all=true', '/nodes?all=true'],
    ['/nodes/nodes', '/nodes'],
    ['/nodes/rpc/1', '/rpc/1'],
  ])("keeps the service's own path: %s is routed as %s", (target, path) => {
    expect(withoutBasePath(target, '/nodes', new Set(['/nodes']))).toBe(path)
  })

  it('does not change paths without a base path', () => {
    expect(withoutBasePath('/staking/eth', '', new Set())).toBe('/staking/eth')
  })
})
