import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DEPLOYMENTS, prefixesOf } from '@trestle/contracts/areas'
import { stringify } from 'yaml'

// Run by `pnpm routes`, after the table of deployments or the set of apps has changed.

const root = fileURLToPath(new URL('../../', import.meta.url))
const HEADER = '# Made by deploy/src/generate.ts from packages/contracts/src/areas.ts.\n'

/** The deployments that can be deployed: those whose app has been written. */
export const deployable = DEPLOYMENTS.filter(({ app }) => existsSync(`${root}apps/${app}/package.json`))

/** The files that say which base path leads to which Service, by their paths from the root. */
export function routeFiles(): Record<string, string> {
  return {
    'deploy/kubernetes/components/http-route/http-route.yaml': yaml(httpRoute()),
    'deploy/kubernetes/components/ingress/ingress.yaml': yaml(ingress()),
  }
}

function httpRoute() {
  const rules = deployable.map((deployment) => ({
    matches: prefixesOf(deployment).map((value) => ({ path: { type: 'PathPrefix', value } })),
    backendRefs: [{ name: deployment.name, port: deployment.port }],
  }))
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'trestle' },
    spec: { parentRefs: [{ name: 'trestle' }], rules },
  }
}

function ingress() {
  const paths = deployable.flatMap((deployment) => {
    const backend = { service: { name: deployment.name, port: { number: deployment.port } } }
    return prefixesOf(deployment).map((path) => ({ path, pathType: 'Prefix', backend }))
  })
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'trestle' }, spec: { rules: [{ http: { paths } }] } }
}

function yaml(document: object): string {
  return HEADER + stringify(document, { aliasDuplicateObjects: false })
}

if (import.meta.main) for (const [path, text] of Object.entries(routeFiles())) writeFileSync(root + path, text)
