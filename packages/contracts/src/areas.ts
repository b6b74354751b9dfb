import type { ServedChain } from './chains/chain.js'
import { CHAIN_FAMILIES, CHAINS } from './chains/chains.js'

/** The areas a token can open; `manager` marks an administrator's account token. */
export const AREAS = ['accounts', 'staking', 'nodes', 'btc-connect', 'eth-rpc'] as const
export type Area = (typeof AREAS)[number]

/** The areas a client token opens when its key has no narrower scopes: everything but the account itself. */
export const CLIENT_AREAS = ['staking', 'nodes', 'btc-connect', 'eth-rpc'] as const
export type ClientArea = (typeof CLIENT_AREAS)[number]

export interface Deployment {
  /** The deployment's name: its process, its Kubernetes Service, its log name. */
  readonly name: string
  readonly app: Area | 'console'
  /** Where it stands behind the ingress; the staking area's own paths already begin so. */
  readonly basePath: `/${string}`
  /** The direct port in development; the internal port is this plus 1000. */
  readonly port: number
  /** The staking area is routed by path but keeps its path: it has no base of its own. */
  readonly prefixIsOwn?: true
  /** Paths outside its base that are its own too. */
  readonly alsoAt?: readonly `/${string}`[]
  /** What answers under it by itself where there are many machines; where there is one, the deployment does. */
  readonly parts?: readonly { readonly name: string; readonly path: `/${string}` }[]
  /** The chain a deployment serves, where one app is deployed once a chain. */
  readonly chain?: string
}

/** The one table of routes for a platform that serves these chains: the ingress, the Kubernetes routes, devnet and the sdk all read it. */
export function deploymentsOf(chains: readonly ServedChain[]): readonly Deployment[] {
  return [...BEFORE_CHAINS, ...chains.map(deploymentOfChain), CONSOLE]
}

const BEFORE_CHAINS: readonly Deployment[] = [
  {
    name: 'accounts',
    app: 'accounts',
    basePath: '/accounts',
    port: 4000,
    // RFC 8414 section 3.1: the metadata of an issuer with a path stands before that path.
    alsoAt: ['/.well-known/oauth-authorization-server/accounts'],
  },
  { name: 'staking', app: 'staking', basePath: '/staking', port: 4001, prefixIsOwn: true },
  { name: 'nodes', app: 'nodes', basePath: '/nodes', port: 4002, parts: [{ name: 'nodes-gateway', path: '/nodes/rpc' }] },
]
const CONSOLE: Deployment = { name: 'console', app: 'console', basePath: '/', port: 4100 }

function deploymentOfChain({ name, family, port }: ServedChain): Deployment {
  return { name, app: CHAIN_FAMILIES[family].app, basePath: `/${name}`, port, chain: name }
}

/** The table where nothing else is configured. */
export const DEPLOYMENTS = deploymentsOf(CHAINS.filter(({ isDefault }) => isDefault))

/** The deployment that answers a path: the one with the longest prefix of whole segments. */
export function deploymentOf(path: string, deployments: readonly Deployment[] = DEPLOYMENTS): Deployment | undefined {
  const routes = deployments.flatMap((deployment) => prefixesOf(deployment).map((prefix) => ({ deployment, prefix })))
  const covering = routes.filter(({ prefix }) => prefix === '/' || path === prefix || path.startsWith(`${prefix}/`))
  return covering.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.deployment
}

/** Every path prefix that leads to a deployment. */
export function prefixesOf({ basePath, alsoAt = [] }: Deployment): readonly string[] {
  return [basePath, ...alsoAt]
}
