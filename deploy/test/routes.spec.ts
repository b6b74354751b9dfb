import { deploymentOf } from '@trestle/contracts/areas'
import { parse } from 'yaml'
import {
  CHAINS_PAGE,
  COMPOSE,
  chainsDocument,
  composeFile,
  deployable,
  EVM_GROUP_COMPONENT,
  NATS_CONFIGURATION,
  routeFiles,
  TLS_POLICIES,
  UPSTREAMS_FILE_COMPONENT,
} from '../src/generate.js'
import { apps, read } from './repository.js'

const WITHOUT_ROUTES = [NATS_CONFIGURATION, TLS_POLICIES, EVM_GROUP_COMPONENT, UPSTREAMS_FILE_COMPONENT]

describe(routeFiles, () => {
  it.each(Object.entries(routeFiles()))('generates %s as it is (run npm run routes after a change)', (path, text) => {
    expect(read(path)).toBe(text)
  })

  it('generates the chains of docker-compose.yml as they are', () => {
    expect(composeFile()).toBe(read(COMPOSE))
  })

  it('generates the table of chains as it is', () => {
    expect(chainsDocument()).toBe(read(CHAINS_PAGE))
  })

  it('routes to every app and to nothing else', () => {
    expect([...new Set(deployable.map(({ app }) => app))].sort()).toEqual(apps.filter((app) => app !== 'ingress').sort())
  })

  it('routes every path as the ingress does', () => {
    const routing = Object.entries(routeFiles()).filter(([path]) => !WITHOUT_ROUTES.includes(path))
    const [route, ingress, ...others] = routing.map(([, text]) => parse(text))
    const added = others.flatMap(({ kind, patches }) =>
      kind === 'Component' ? patches.map(({ patch }: { patch: string }) => parse(patch)) : [],
    )
    const values = (path: string) => added.flat().flatMap((patch: Patch) => (patch.path === path ? patch.value : []))
    const ofRoute = [...route.spec.rules, ...values('/spec/rules/-')].flatMap(({ matches, backendRefs }: HttpRule) =>
      matches.map(({ path }) => [path.value, backendRefs[0]?.name]),
    )
    const paths = [...ingress.spec.rules[0].http.paths, ...values('/spec/rules/0/http/paths/-')]
    const ofIngress = paths.map(({ path, backend }: IngressPath) => [path, backend.service.name])
    const parts = deployable.flatMap(({ parts: all = [], ...whole }) => all.map((part) => [part.name, whole.name] as const))
    const wholes = new Map<string | undefined, string>([...deployable.map(({ name }) => [name, name] as const), ...parts])
    expect(new Set(ofRoute.map(([, name]) => name))).toEqual(new Set(wholes.keys()))
    for (const [path, name] of [...ofRoute, ...ofIngress]) expect([path, deploymentOf(`${path}/x`)?.name]).toEqual([path, wholes.get(name)])
    expect(ofRoute).toEqual(ofIngress)
  })
})

interface Patch {
  path: string
  value: object
}

interface HttpRule {
  matches: { path: { value: string } }[]
  backendRefs: { name: string }[]
}

interface IngressPath {
  path: string
  backend: { service: { name: string } }
}
