import { deploymentOf } from '@trestle/contracts/areas'
import { parse } from 'yaml'
import { deployable, routeFiles } from '../src/generate.js'
import { apps, read } from './repository.js'

describe(routeFiles, () => {
  it.each(Object.entries(routeFiles()))('makes %s as it is (pnpm routes, in deploy/, makes it anew)', (path, text) => {
    expect(read(path)).toBe(text)
  })

  it('routes to every app that there is, and to no other', () => {
    expect([...new Set(deployable.map(({ app }) => app))].sort()).toEqual(apps.filter((app) => app !== 'ingress').sort())
  })

  it('routes every path as the ingress does', () => {
    const [route, ingress] = Object.values(routeFiles()).map((text) => parse(text))
    const ofRoute = route.spec.rules.flatMap(({ matches, backendRefs }: HttpRule) =>
      matches.map(({ path }) => [path.value, backendRefs[0]?.name]),
    )
    const ofIngress = ingress.spec.rules[0].http.paths.map(({ path, backend }: IngressPath) => [path, backend.service.name])
    for (const [path, name] of [...ofRoute, ...ofIngress]) expect([path, deploymentOf(`${path}/x`)?.name]).toEqual([path, name])
    expect(ofRoute).toEqual(ofIngress)
  })
})

interface HttpRule {
  matches: { path: { value: string } }[]
  backendRefs: { name: string }[]
}

interface IngressPath {
  path: string
  backend: { service: { name: string } }
}
