import { setTimeout as delay } from 'node:timers/promises'
import { DEPLOYMENTS, type Deployment, deploymentsOf } from '@trestle/contracts/areas'
import { type ChainsConfiguration, servedChains } from '@trestle/contracts/chains/configuration'
import { freePorts, isFree } from './ports.js'

export interface DeploymentPorts {
  readonly public: number
  readonly internal: number
}

export const INGRESS = 'ingress'

/** What is to run: everything that is built, or what `only` names by app or deployment. Nothing works without accounts. */
export function chosenDeployments(
  isBuilt: (app: string) => boolean,
  only?: readonly string[],
  deployments: readonly Deployment[] = DEPLOYMENTS,
): Deployment[] {
  const built = deployments.filter(({ app }) => isBuilt(app))
  const unknown = only?.find((word) => !built.some(({ name, app }) => word === name || word === app))
  if (unknown) throw new Error(`There is no service "${unknown}". There is: ${[...new Set(built.map(({ app }) => app))].join(', ')}.`)
  return built.filter(({ name, app }) => !only || name === 'accounts' || only.includes(name) || only.includes(app))
}

/** Each one's own ports, unless another is asked for; refuses what somebody else listens on. */
export async function fixedPorts(
  deployments: readonly Deployment[],
  asked: Readonly<Record<string, number>>,
): Promise<Map<string, DeploymentPorts>> {
  const ports = new Map<string, DeploymentPorts>()
  for (const { name, port } of [...deployments, { name: INGRESS, port: 8080 }]) {
    const chosen = asked[name] ?? port
    ports.set(name, { public: chosen, internal: chosen + 1000 })
  }
  const taken = await Promise.all(
    [...ports].flatMap(([name, port]) => [
      takenReason(name, port.public, ''),
      takenReason(name, port.internal, ' (its internal port: the public one plus 1000)'),
    ]),
  )
  const reasons = taken.filter((reason) => reason !== undefined)
  if (reasons.length > 0) throw new Error(reasons.join('\n'))
  return ports
}

export async function randomPorts(deployments: readonly Deployment[]): Promise<Map<string, DeploymentPorts>> {
  const names = [...deployments.map(({ name }) => name), INGRESS]
  const free = await freePorts(names.length * 2)
  return new Map(names.map((name, i) => [name, { public: free[2 * i] ?? 0, internal: free[2 * i + 1] ?? 0 }]))
}

/** The ports that the environment asks for: ACCOUNTS_PORT and its like. */
export function portsFrom(env: NodeJS.ProcessEnv, chains: ChainsConfiguration = {}): Record<string, number> {
  const asked = deploymentsOf(servedChains(chains))
    .map(({ name }) => [name, env[portVariable(name)]] as const)
    .filter(([, value]) => value)
  return Object.fromEntries(asked.map(([name, value]) => [name, portOf(name, value)]))
}

function portOf(name: string, value?: string): number {
  const port = Number(value)
  // The internal port is 1000 higher.
  if (Number.isInteger(port) && port >= 1 && port <= 64_535) return port
  throw new Error(`${portVariable(name)} is "${value}": a port is a number from 1 to 64535.`)
}

function portVariable(name: string): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_PORT`
}

async function takenReason(name: string, port: number, which: string): Promise<string | undefined> {
  // What an earlier, killed run left may be about to end.
  for (const patience = Date.now() + 3000; Date.now() < patience; await delay(100)) if (await isFree(port)) return undefined
  const advice = name === INGRESS ? 'npm start -- --port <port>' : `${portVariable(name)}=<port> npm start`
  return `Port ${port} is taken, and ${name} wants it${which}. Stop what listens there, or choose another: ${advice}`
}
