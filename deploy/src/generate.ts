import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Deployment, deploymentsOf, prefixesOf } from '@trestle/contracts/areas'
import { CHAINS } from '@trestle/contracts/chains/chains'
import { readChains } from '@trestle/runtime/chains-env'
import { stringify } from 'yaml'
import { withChainsTable } from './chains-table.ts'
import { withChains } from './compose.ts'
import { EVM_GROUP, evmGroup, upstreamsFile } from './evm-group.ts'
import { natsConfiguration } from './nats.ts'
import { backendTlsPolicies, servicesTls } from './services-tls.ts'

// Run by `npm run routes`, after the table of deployments or the set of apps has changed; with TRESTLE_CHAINS for other chains than the usual ones.

const root = fileURLToPath(new URL('../../', import.meta.url))
const HEADER = '# Made by deploy/src/generate.ts from packages/contracts/src/areas.ts.\n'
export const COMPOSE = 'docker-compose.yml'
export const CHAINS_PAGE = 'docs/chains.md'
const COMPONENTS = 'deploy/kubernetes/components'
export const NATS_CONFIGURATION = `${COMPONENTS}/nats/nats.conf`
export const EVM_GROUP_COMPONENT = `${COMPONENTS}/evm-group/kustomization.yaml`
export const UPSTREAMS_FILE_COMPONENT = `${COMPONENTS}/upstreams-file/kustomization.yaml`
export const TLS_POLICIES = `${COMPONENTS}/services-tls/policies.yaml`

/** The deployments whose app exists. */
const chains = readChains()
export const deployable = deploymentsOf(chains).filter(({ app }) => existsSync(`${root}apps/${app}/package.json`))

/** The files that route base paths to Services, and those that differ between chains, by their paths from the root. */
export function routeFiles(): Record<string, string> {
  // All the others ask accounts who calls; which of them it runs is for each installation to choose.
  const [always, chosen] = [deployable.filter(({ app }) => app === 'accounts'), deployable.filter(({ app }) => app !== 'accounts')]
  const services = deployable.flatMap(({ name, app, parts = [] }) =>
    [name, ...parts.map((part) => part.name)].map((each) => ({ name: each, app })),
  )
  const evm = deployable.filter(({ app }) => app === 'eth-rpc')
  return {
    [`${COMPONENTS}/http-route/http-route.yaml`]: yaml(httpRoute(always)),
    [`${COMPONENTS}/ingress/ingress.yaml`]: yaml(ingress(always)),
    [NATS_CONFIGURATION]: natsConfiguration(chains),
    [`${COMPONENTS}/services-tls/kustomization.yaml`]: yaml(servicesTls([...services, { name: EVM_GROUP, app: 'eth-rpc' }])),
    [EVM_GROUP_COMPONENT]: yaml(evmGroup(evm)),
    [UPSTREAMS_FILE_COMPONENT]: yaml(upstreamsFile(evm)),
    [TLS_POLICIES]:
      HEADER +
      backendTlsPolicies(services)
        .map((policy) => stringify(policy))
        .join('---\n'),
    ...Object.fromEntries(chosen.flatMap(componentFiles)),
  }
}

/** docker-compose.yml with the chains regenerated. */
export function composeFile(): string {
  return withChains(readFileSync(`${root}${COMPOSE}`, 'utf8'), chains)
}

function httpRoute(deployments: readonly Deployment[]) {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'trestle' },
    spec: { parentRefs: [{ name: 'trestle' }], rules: deployments.flatMap(rulesOf) },
  }
}

function rulesOf(deployment: Deployment) {
  return backendsOf(deployment).map(({ name, port, paths }) => ({
    matches: paths.map((value) => ({ path: { type: 'PathPrefix', value } })),
    backendRefs: [{ name, port }],
  }))
}

function ingress(deployments: readonly Deployment[]) {
  const rules = [{ http: { paths: deployments.flatMap(pathsOf) } }]
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'trestle' }, spec: { rules } }
}

function pathsOf(deployment: Deployment) {
  return backendsOf(deployment).flatMap(({ name, port, paths }) => {
    const backend = { service: { name, port: { number: port } } }
    return paths.map((path) => ({ path, pathType: 'Prefix', backend }))
  })
}

/** The Services of a deployment, and the paths that lead to each; the longest counts, in whatever order they stand. */
function backendsOf(deployment: Deployment) {
  const { name, port, parts = [] } = deployment
  return [{ name, port, paths: prefixesOf(deployment) }, ...parts.map((part) => ({ name: part.name, port, paths: [part.path] }))]
}

/** Its component adds the deployment and its routes; that of a chain has a folder of its own, for what it changes is its own only. */
function componentFiles(deployment: Deployment): [string, string][] {
  const folder = `${COMPONENTS}/${deployment.name}`
  const file = `${folder}/kustomization.yaml`
  if (!deployment.chain) return [[file, yaml(component(deployment, `../../base/${deployment.app}`))]]
  return [
    [file, yaml(component(deployment, 'deployment'))],
    [`${folder}/deployment/kustomization.yaml`, yaml(chainDeployment(deployment))],
  ]
}

function component(deployment: Deployment, resource: string) {
  const added = (path: string, value: object) => ({ op: 'add', path, value })
  const route = rulesOf(deployment).map((rule) => added('/spec/rules/-', rule))
  const paths = pathsOf(deployment).map((path) => added('/spec/rules/0/http/paths/-', path))
  return {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    resources: [resource],
    patches: [
      { target: { kind: 'HTTPRoute', name: 'trestle' }, patch: stringify(route) },
      { target: { kind: 'Ingress', name: 'trestle' }, patch: stringify(paths) },
    ],
  }
}

function chainDeployment({ name, app, chain, basePath, port }: Deployment) {
  const variable = {
    op: 'replace',
    path: '/spec/template/spec/containers/0/env/0/name',
    value: `${name.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`,
  }
  const settings = {
    // Elsewhere the deployment is named as its chain is.
    ...(app === 'btc-connect' && { DEPLOYMENT: name }),
    CHAIN: chain,
    BASE_PATH: basePath,
    PORT: port,
    INTERNAL_PORT: port + 1000,
    OTEL_SERVICE_NAME: name,
  }
  return {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [`../../../base/${app}`],
    components: [`../../../base/${app}/named`],
    configMapGenerator: [{ name: `${name}-deployment`, literals: Object.entries(settings).map(([key, value]) => `${key}=${value}`) }],
    patches: [{ target: { kind: 'Job' }, patch: stringify([variable]) }],
  }
}

function yaml(document: object): string {
  return HEADER + stringify(document, { aliasDuplicateObjects: false })
}

/** docs/chains.md with the table regenerated. */
export function chainsDocument(): string {
  return withChainsTable(readFileSync(`${root}${CHAINS_PAGE}`, 'utf8'), CHAINS)
}

if (import.meta.main)
  for (const [path, text] of Object.entries({ ...routeFiles(), [COMPOSE]: composeFile(), [CHAINS_PAGE]: chainsDocument() })) {
    mkdirSync(dirname(root + path), { recursive: true })
    writeFileSync(root + path, text)
  }
