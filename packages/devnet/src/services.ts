import type { Deployment } from '@trestle/contracts/areas'
import type { DevnetStakingChain } from './beacon/staking-chain.js'
import type { RegtestChain } from './chains/chain.js'
import { type DeploymentPorts, INGRESS } from './deployments.js'
import type { EthereumChain } from './ethereum/ethereum-chain.js'
import type { Machines } from './machines/machines.js'
import { publicHalf } from './secrets.js'
import { ADMIN } from './seed.js'

/** What every service is told about the others. */
export interface ServiceContext {
  readonly ports: ReadonlyMap<string, DeploymentPorts>
  readonly natsUrl: string
  /** The seed of a deployment's identity, in a NATS of our own. */
  readonly natsSeed?: (deployment: string) => string
  /** The superuser's, or the owner's. */
  readonly databaseUrl: string
  readonly secret: (name: string) => string
  /** By deployment. */
  readonly chains: ReadonlyMap<string, Pick<RegtestChain, 'plan' | 'env' | 'info'>>
  /** By deployment. */
  readonly ethereum: ReadonlyMap<string, Pick<EthereumChain, 'env' | 'info'>>
  /** Which chains there are: told to those that lead to them. */
  readonly chainsEnv?: Readonly<Record<string, string>>
  readonly staking?: Pick<DevnetStakingChain, 'env' | 'info'>
  readonly nodes?: Pick<Machines, 'env' | 'info'>
}

const ROOT_KEY = 'TRUST_ROOT_KEY'

// What only one app is told. A name of `secrets` becomes a variable with a random value of this installation.
const OWN: Record<string, { secrets?: readonly string[]; settings?: Readonly<Record<string, string>> }> = {
  accounts: {
    secrets: ['KEY_ENCRYPTION_KEY', 'PASSWORD_PEPPER', 'THROTTLE_SECRET', ROOT_KEY],
    settings: { MAIL_TRANSPORT: 'mailbox', ADMINISTRATORS: ADMIN.email },
  },
  staking: { secrets: ['KEY_ENCRYPTION_KEYS'] },
  nodes: { secrets: ['KEY_ENCRYPTION_KEYS'] },
}

/** The environment of one deployment's process. */
export function deploymentEnv(deployment: Deployment, surroundings: ServiceContext): Record<string, string> {
  const { secrets = [], settings = {} } = OWN[deployment.app] ?? {}
  return {
    ...commonEnv(deployment.name, surroundings.ports),
    BASE_PATH: deployment.prefixIsOwn || deployment.basePath === '/' ? '' : deployment.basePath,
    PUBLIC_URL: publicUrl(INGRESS, surroundings.ports),
    DATABASE_URL: databaseUrl(schemaOf(deployment, surroundings), surroundings),
    NATS_URL: surroundings.natsUrl,
    ...(surroundings.natsSeed && { NATS_NKEY_SEED: surroundings.natsSeed(deployment.name) }),
    TRUST_ROOTS: trustRoots(surroundings),
    ACCOUNTS_INTERNAL_URL: internalUrl('accounts', surroundings.ports),
    ...((deployment.app === 'eth-rpc' || deployment.app === 'accounts') && surroundings.chainsEnv),
    ...standsOn(deployment, surroundings)?.env(),
    ...settings,
    ...Object.fromEntries(secrets.map((name) => [name, surroundings.secret(name)])),
  }
}

/** The public half of the root key of accounts. */
export function trustRoots({ secret }: Pick<ServiceContext, 'secret'>): string {
  return publicHalf(secret(ROOT_KEY))
}

function standsOn({ name }: Deployment, { chains, ethereum, ...lone }: ServiceContext) {
  return chains.get(name) ?? ethereum.get(name) ?? (name === 'staking' || name === 'nodes' ? lone[name] : undefined)
}

/** The environment of the ingress: where each deployment is. */
export function ingressEnv(
  deployments: readonly Deployment[],
  ports: ReadonlyMap<string, DeploymentPorts>,
  chains: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...commonEnv(INGRESS, ports), ...chains, ...addressesOf(deployments, ports) }
}

/** The environment of the console, which is a door for its own page: it knows where the services are, and nothing else. */
export function consoleEnv(
  deployments: readonly Deployment[],
  ports: ReadonlyMap<string, DeploymentPorts>,
  chains: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    ...commonEnv('console', ports),
    ...chains,
    ...addressesOf(
      deployments.filter(({ app }) => app !== 'console'),
      ports,
    ),
  }
}

function addressesOf(deployments: readonly Deployment[], ports: ReadonlyMap<string, DeploymentPorts>): Record<string, string> {
  return Object.fromEntries(deployments.map(({ name }) => [`${variableOf(name)}_URL`, publicUrl(name, ports)]))
}

/** The app's schema; where the app is deployed once a chain, the deployment's; and another one again for the chain of a node that stands in. */
export function schemaOf({ name, app, chain }: Deployment, { chains }: Pick<ServiceContext, 'chains'>): string {
  const plan = chains.get(name)?.plan
  if (plan?.standsFor) return `${name}-${plan.daemon.name}`
  return chain ? name : app
}

/** The schema's own role in the same database. */
export function databaseUrl(schema: string, { databaseUrl, secret }: Pick<ServiceContext, 'databaseUrl' | 'secret'>): string {
  const url = new URL(databaseUrl)
  url.username = `trestle_${schema.replaceAll('-', '_')}`
  url.password = encodeURIComponent(secret(`${variableOf(schema)}_DATABASE_PASSWORD`))
  return url.href
}

/** `btc-connect` as it stands in the name of an environment variable. */
export function variableOf(name: string): string {
  return name.toUpperCase().replaceAll('-', '_')
}

export function publicUrl(name: string, ports: ReadonlyMap<string, DeploymentPorts>): string {
  return `http://127.0.0.1:${ports.get(name)?.public}`
}

export function internalUrl(name: string, ports: ReadonlyMap<string, DeploymentPorts>): string {
  return `http://127.0.0.1:${ports.get(name)?.internal}`
}

function commonEnv(name: string, ports: ReadonlyMap<string, DeploymentPorts>): Record<string, string> {
  const { public: port, internal } = ports.get(name) ?? { public: 0, internal: 0 }
  return { NODE_ENV: 'development', HOST: '127.0.0.1', PORT: String(port), INTERNAL_PORT: String(internal) }
}
