import fc from 'fast-check'
import { AREAS, CLIENT_AREAS, DEPLOYMENTS, type Deployment, deploymentOf, prefixesOf } from './areas.js'

describe(deploymentOf, () => {
  it.each([
    ['/accounts', 'accounts'],
    ['/accounts/', 'accounts'],
    ['/accounts/users/me', 'accounts'],
    ['/.well-known/oauth-authorization-server/accounts', 'accounts'],
    ['/staking/validators', 'staking'],
    ['/eth/v1/project', 'eth'],
    ['/etc/v1/project', 'etc'],
    ['/', 'console'],
    ['/accountsx', 'console'],
    ['/Accounts', 'console'],
    ['/ethereum', 'console'],
    ['/.well-known/oauth-authorization-server', 'console'],
  ])('leads %s to %s', (path, name) => {
    expect(deploymentOf(path)?.name).toBe(name)
  })

  it('leads nowhere when nothing covers the path', () => {
    expect(deploymentOf('/other', DEPLOYMENTS.slice(0, 1))).toBeUndefined()
  })

  it('prefers the longer prefix, however the table is ordered', () => {
    const table = [at('short', '/a'), at('long', '/a/b'), at('all', '/')]
    expect([table, table.toReversed()].map((rows) => deploymentOf('/a/b/c', rows)?.name)).toEqual(['long', 'long'])
  })

  it('leads whatever follows a base path to its deployment', () => {
    fc.assert(
      fc.property(fc.constantFrom(...DEPLOYMENTS), fc.webPath(), (deployment, path) => {
        const base = deployment.basePath === '/' ? '/console' : deployment.basePath
        expect(deploymentOf(`${base}${path.startsWith('/') || path === '' ? path : `/${path}`}`)?.name).toBe(deployment.name)
      }),
    )
  })
})

describe('the table of deployments', () => {
  it.each(['name', 'basePath', 'port'] as const)('gives every deployment a %s of its own', (member) => {
    expect(new Set(DEPLOYMENTS.map((deployment) => deployment[member])).size).toBe(DEPLOYMENTS.length)
  })

  it('gives no path to two deployments', () => {
    const prefixes = DEPLOYMENTS.flatMap(prefixesOf)
    expect(new Set(prefixes).size).toBe(prefixes.length)
  })

  it('keeps internal ports, 1000 above, apart from public ones', () => {
    const ports = new Set(DEPLOYMENTS.map(({ port }) => port))
    expect(DEPLOYMENTS.filter(({ port }) => ports.has(port + 1000))).toEqual([])
  })

  it('has a deployment of every area', () => {
    expect(AREAS.filter((area) => !DEPLOYMENTS.some(({ app }) => app === area))).toEqual([])
  })
})

describe('the areas of a client', () => {
  it('are all but the account itself', () => {
    expect(CLIENT_AREAS).toEqual(AREAS.filter((area) => area !== 'accounts'))
  })
})

function at(name: string, basePath: `/${string}`): Deployment {
  return { name, basePath, app: 'console', port: 1 }
}
