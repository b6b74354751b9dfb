import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployment } from '@trestle/contracts/areas'
import { Chain, type ChainInfo } from './chains/chain.js'
import { type ChainPlan, needsNode, planChains } from './chains/plan.js'
import { chosenDeployments, fixedPorts, INGRESS, randomPorts } from './deployments.js'
import { requireServer } from './existing.js'
import { migrate } from './migrations.js'
import { startNats } from './nats.js'
import { freePorts } from './ports.js'
import { startPostgres } from './postgres.js'
import { type Program, startProgram } from './programs.js'
import { Secrets } from './secrets.js'
import { ADMIN, DEMO, seed } from './seed.js'
import { ingressEnv, internalUrl, publicUrl, type Surroundings, serviceEnv } from './services.js'
import type { Supervisor } from './supervisor.js'
import { isBuilt } from './workspace.js'

/** Does one part of the start, and may show its title and how it goes. */
export type Step = <T>(title: string, work: () => Promise<T>) => Promise<T>

export interface DevnetOptions {
  readonly dataDir: string
  /** `random`, or the public ports that differ from the usual, by deployment or `ingress`. */
  readonly ports?: 'random' | Readonly<Record<string, number>>
  /** Apps or deployments; all that are built when left out. */
  readonly only?: readonly string[]
  /** Forgets the data first. */
  readonly reset?: boolean
  /** A superuser's, or that of a role which may create roles: instead of a Postgres of our own. */
  readonly databaseUrl?: string
  /** Instead of a nats-server of our own. */
  readonly natsUrl?: string
  readonly quiet?: boolean
  readonly step?: Step
  /** Gives the start up. */
  readonly signal?: AbortSignal
}

/** What stands in devnet.json. */
export interface DevnetInfo {
  readonly ingress: string
  readonly services: Readonly<Record<string, { url: string; internalUrl: string }>>
  readonly demo: { email: string; password: string; userId: string }
  readonly admin: { email: string; password: string }
  readonly mailbox: string
  readonly postgres: string
  readonly nats: string
  /** By deployment. */
  readonly chains: Readonly<Record<string, ChainInfo>>
}

export interface Replica {
  readonly url: string
  readonly internalUrl: string
  readonly pid: number
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** The parts of a devnet, and the order in which they come up. */
export class Platform {
  private readonly programs = new Map<string, Program>()
  private readonly notes: string[] = []
  private readonly step: Step

  constructor(
    private readonly options: DevnetOptions,
    private readonly supervisor: Supervisor,
    /** Says that all is to end. */
    private readonly end: AbortSignal,
  ) {
    this.step = options.step ?? (options.quiet ? (_title, work) => work() : announced)
  }

  async bringUp(): Promise<{ info: DevnetInfo; notes: readonly string[] }> {
    const chosen = chosenDeployments(isBuilt, this.options.only)
    requireBuilt(chosen)
    const plans = await this.planChains(chosen)
    const deployments = chosen.filter((deployment) => !needsNode(deployment) || plans.some((plan) => plan.deployment === deployment.name))
    const ports = this.options.ports === 'random' ? await randomPorts(deployments) : await fixedPorts(deployments, this.options.ports ?? {})
    const servers = await this.startServers(plans)
    const secrets = new Secrets(this.options.dataDir)
    const surroundings = { ...servers, ports, secret: (name: string) => secrets.get(name) }
    await this.step('Bringing the database up to date', () => migrate(deployments, surroundings))
    this.plan(deployments, surroundings)
    const names = [...this.programs.keys()]
    await this.step(`Starting ${names.join(', ')}`, () => Promise.all(names.map((name) => this.startProgram(name))))
    const accounts = `${publicUrl(INGRESS, ports)}/accounts`
    const { demoId, notes } = await this.step('Setting up the demo user', () => seed(accounts))
    return { info: await describe(deployments, surroundings, demoId), notes: [...this.notes, ...notes] }
  }

  async startReplica(name: string, env: Readonly<Record<string, string>> = {}): Promise<Replica> {
    const [port, internal] = await freePorts(2)
    const own = { PORT: String(port), INTERNAL_PORT: String(internal), ...env }
    const program = this.program(name)
    const log = program.log.replace(/\.log$/, `-${port}.log`)
    const running = await startProgram(name, { ...program, env: { ...program.env, ...own }, log })
    return {
      url: `http://127.0.0.1:${port}`,
      internalUrl: `http://127.0.0.1:${internal}`,
      pid: running.pid,
      async stop(signal = 'SIGTERM') {
        running.kill(signal)
        await running.exited
      },
    }
  }

  private async planChains(deployments: readonly Deployment[]): Promise<readonly ChainPlan[]> {
    const names = deployments.filter(needsNode).map(({ name }) => name)
    if (names.length === 0) return []
    // Programs may have to be fetched, once.
    const { plans, notes } = await this.step(`Looking for nodes for ${names.join(', ')}`, () => planChains(deployments))
    this.notes.push(...notes)
    return plans
  }

  private async startServers(plans: readonly ChainPlan[]): Promise<Pick<Surroundings, 'databaseUrl' | 'natsUrl' | 'chains'>> {
    const { databaseUrl, natsUrl } = this.options
    const nodes = plans.map(({ deployment }) => nodeOf(deployment))
    return this.step(`Starting ${['Postgres', 'NATS', ...nodes].join(', ')}`, async () => {
      const [database, nats, chains] = await Promise.all([
        databaseUrl ? requireServer('DATABASE_URL', databaseUrl, 5432) : this.startPostgres(),
        natsUrl ? requireServer('NATS_URL', natsUrl, 4222) : this.startNats(),
        Promise.all(plans.map((plan) => this.startChain(plan))),
      ])
      return { databaseUrl: database, natsUrl: nats, chains: new Map(chains.map((chain) => [chain.plan.deployment, chain])) }
    })
  }

  private async startChain(plan: ChainPlan): Promise<Chain> {
    const chain = new Chain(plan, chainsFolder(this.options.dataDir))
    await this.supervisor.start(nodeOf(plan.deployment), () => chain.start())
    await chain.grow()
    chain.live(this.end)
    return chain
  }

  private async startPostgres(): Promise<string> {
    const dir = join(this.options.dataDir, 'postgres')
    let server: { url: string; port?: number } = { url: '' }
    await this.supervisor.start('postgres', async () => {
      const started = await startPostgres({ dir, port: server.port })
      server = started
      if (started.dir !== dir) this.notes.push(`Postgres keeps its data in ${started.dir}: root's ${dir} is closed to the user it runs as.`)
      return started.process
    })
    return server.url
  }

  private async startNats(): Promise<string> {
    let server: { url: string; port?: number } = { url: '' }
    await this.supervisor.start('nats', async () => {
      const started = await startNats({ dir: join(this.options.dataDir, 'nats'), port: server.port })
      server = started
      return started.process
    })
    return server.url
  }

  private plan(deployments: readonly Deployment[], surroundings: Surroundings): void {
    for (const deployment of deployments) this.addProgram(deployment.name, deployment.app, serviceEnv(deployment, surroundings))
    this.addProgram(INGRESS, 'ingress', ingressEnv(deployments, surroundings.ports))
  }

  private addProgram(name: string, app: string, env: Readonly<Record<string, string>>): void {
    const log = join(this.options.dataDir, 'logs', `${name}.log`)
    rmSync(log, { force: true })
    this.programs.set(name, { app, env, log })
  }

  private startProgram(name: string): Promise<void> {
    return this.supervisor.start(name, () => startProgram(name, this.program(name)))
  }

  private program(name: string): Program {
    const program = this.programs.get(name)
    if (!program) throw new Error(`There is no ${name} here, only ${[...this.programs.keys()].join(', ')}.`)
    return program
  }
}

function requireBuilt(deployments: readonly Deployment[]): void {
  if (deployments.some(({ name }) => name === 'accounts') && isBuilt('ingress')) return
  throw new Error('Accounts and the ingress are not built: npm run build')
}

/** The name a chain's node runs under. */
export function nodeOf(deployment: string): string {
  return `${deployment}-node`
}

export function chainsFolder(dataDir: string): string {
  return join(dataDir, 'chains')
}

async function describe(deployments: readonly Deployment[], surroundings: Surroundings, userId: string): Promise<DevnetInfo> {
  const { ports, databaseUrl, natsUrl } = surroundings
  const ingress = publicUrl(INGRESS, ports)
  const services = deployments.map(({ name }) => [name, { url: publicUrl(name, ports), internalUrl: internalUrl(name, ports) }])
  const chains = [...surroundings.chains].map(async ([name, chain]) => [name, await chain.info()] as const)
  return {
    ingress,
    services: Object.fromEntries(services),
    demo: { ...DEMO, userId },
    admin: ADMIN,
    mailbox: `${ingress}/accounts/dev/mailbox`,
    postgres: databaseUrl,
    nats: natsUrl,
    chains: Object.fromEntries(await Promise.all(chains)),
  }
}

async function announced<T>(title: string, work: () => Promise<T>): Promise<T> {
  console.error(title)
  return work()
}
