import type { ServedChain } from './chains/chain.js'
import { CHAIN_FAMILIES, CHAINS } from './chains/chains.js'

/** The areas a token can give access to. */
export const AREAS = ['accounts', 'staking', 'nodes', 'btc-connect', 'eth-rpc'] as const
export type Area = (typeof AREAS)[number]

/** The default scopes of a client key: every area but accounts. */
export const CLIENT_AREAS = ['staking', 'nodes', 'btc-connect', 'eth-rpc'] as const
export type ClientArea = (typeof CLIENT_AREAS)[number]

export interface Deployment {
  /** The deployment's name: its process, its Kubernetes Service, its log name. */
  readonly name: string
  readonly app: Area | 'console'
  /** Its path prefix at the ingress. */
  readonly basePath: `/${string}`
  /** The direct port in development; the internal port is this plus 1000. */
  readonly port: number
  /** The app's own paths already begin with the prefix (staking), so the ingress does not strip it. */
  readonly prefixIsOwn?: true
  /** Other paths that are routed to it. */
  readonly alsoAt?: readonly `/${string}`[]
  /** Paths that a process of their own serves in larger installations. */
  readonly parts?: readonly { readonly name: string; readonly path: `/${string}` }[]
  /** The chain it serves, if the app is deployed once per chain. */
  readonly chain?: string
}

/** The routes of a platform that serves these chains; read by the ingress, the Kubernetes routes, devnet and the sdk. */
export function deploymentsOf(chains: readonly ServedChain[]): readonly Deployment[] {
  return [...BEFORE_CHAINS, ...chains.map(deploymentOfChain), CONSOLE]
}

const BEFORE_CHAINS: readonly Deployment[] = [
  {
    name: 'accounts',
    app: 'accounts',
    basePath: '/accounts',
    port: 4000,
    // RFC 8414 section 3.1: the well-known part comes before the issuer's path.
    alsoAt: ['/.well-known/oauth-authorization-server/accounts'],
  },
  { name: 'staking', app: 'staking', basePath: '/staking', port: 4001, prefixIsOwn: true },
  { name: 'nodes', app: 'nodes', basePath: '/nodes', port: 4002, parts: [{ name: 'nodes-gateway', path: '/nodes/rpc' }] },
]
const CONSOLE: Deployment = { name: 'console', app: 'console', basePath: '/', port: 4100 }

function deploymentOfChain({ name, family, port }: ServedChain): Deployment {
  return { name, app: CHAIN_FAMILIES[family].app, basePath: `/${name}`, port, chain: name }
}

/** The deployments of a platform with the default chains. */
export const DEPLOYMENTS = deploymentsOf(CHAINS.filter(({ isDefault }) => isDefault))

/** The deployment that serves a path: the one with the longest prefix of whole segments. */
export function deploymentOf(path: string, deployments: readonly Deployment[] = DEPLOYMENTS): Deployment | undefined {
  const routes = deployments.flatMap((deployment) => prefixesOf(deployment).map((prefix) => ({ deployment, prefix })))
  const covering = routes.filter(({ prefix }) => prefix === '/' || path === prefix || path.startsWith(`${prefix}/`))
  return covering.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.deployment
}

/** Every path prefix that is routed to a deployment. */
export function prefixesOf({ basePath, alsoAt = [] }: Deployment): readonly string[] {
  return [basePath, ...alsoAt]
}
