import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Deployment, deploymentsOf } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { type ChainsConfiguration, servedChains } from '@trestle/contracts/chains/configuration'
import { DevnetStakingChain, STAKING_NODES } from './beacon/staking-chain.js'
import { RegtestChain } from './chains/chain.js'
import { type ChainPlan, needsNode, planChains } from './chains/plan.js'
import { chosenDeployments, fixedPorts, INGRESS, randomPorts } from './deployments.js'
import { type Demo, type DevnetInfo, describe } from './devnet-info.js'
import { EthereumChain } from './ethereum/ethereum-chain.js'
import { needsAnvil, planEthereum } from './ethereum/plan.js'
import { requireListeningServer } from './existing-server.js'
import { Machines } from './machines/machines.js'
import { type MachinePlan, planMachines } from './machines/plan.js'
import { forgetSchema, migrateSchemas } from './migrations.js'
import { startNats } from './nats.js'
import { natsAuthorization, natsSeed } from './nats-identities.js'
import { freePorts } from './ports.js'
import { startPostgres } from './postgres.js'
import { type ServiceProgram, startProgram } from './programs.js'
import { Secrets } from './secrets.js'
import { seed } from './seed.js'
import { seedProjects } from './seed-projects.js'
import { devnetChainsEnv } from './served.js'
import { consoleEnv, deploymentEnv, ingressEnv, publicUrl, type ServiceContext } from './services.js'
import type { Supervisor } from './supervisor.js'
import { isBuilt } from './workspace.js'

/** Does one part of the start, and may show its title and how it goes. */
type StartStep = <T>(title: string, work: () => Promise<T>) => Promise<T>

export interface DevnetOptions {
  readonly dataDir: string
  /** `random`, or the public ports that differ from the usual, by deployment or `ingress`. */
  readonly ports?: 'random' | Readonly<Record<string, number>>
  /** Apps or deployments; all that are built when left out. */
  readonly only?: readonly string[]
  /** The chains to serve, each on a network of its own; the usual ones when left out. */
  readonly chains?: ChainsConfiguration
  /** Forgets the data first. */
  readonly reset?: boolean
  /** A superuser's, or that of a role which may create roles: instead of a Postgres of our own. */
  readonly databaseUrl?: string
  /** Instead of a nats-server of our own. */
  readonly natsUrl?: string
  readonly quiet?: boolean
  readonly step?: StartStep
  /** Gives the start up. */
  readonly signal?: AbortSignal
}

export interface Replica {
  readonly url: string
  readonly internalUrl: string
  readonly pid: number
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** The parts of a devnet, and the order in which they come up. */
export class Platform {
  private readonly programs = new Map<string, ServiceProgram>()
  private readonly notes: string[] = []
  private readonly step: StartStep

  constructor(
    private readonly options: DevnetOptions,
    private readonly supervisor: Supervisor,
    /** Says that all is to end. */
    private readonly end: AbortSignal,
  ) {
    this.step = options.step ?? (options.quiet ? (_title, work) => work() : announced)
  }

  async bringUp(): Promise<{ info: DevnetInfo; notes: readonly string[] }> {
    const { chains: configuration = {}, dataDir } = this.options
    const chains = servedChains(configuration)
    const chosen = chosenDeployments(isBuilt, this.options.only, deploymentsOf(chains))
    requireBuilt(chosen)
    const plans = await this.planChains(chosen)
    const { ethereum, staking } = this.planEthereum(chosen, chains)
    const machines = await this.planMachines(chosen)
    const served = [...[...plans, ...ethereum].map(({ deployment }) => deployment as string), ...(staking ? ['staking'] : [])]
    const deployments = chosen.filter((each) => !(needsNode(each) || needsAnvil(each)) || served.includes(each.name))
    const ports = this.options.ports === 'random' ? await randomPorts(deployments) : await fixedPorts(deployments, this.options.ports ?? {})
    const secrets = new Secrets(dataDir)
    const servers = await this.startServers({ plans, ethereum, staking, nats: natsAuthorization(deploymentsOf(chains), secrets) })
    const secret = (name: string) => secrets.get(name)
    const surroundings = {
      ...servers,
      ports,
      secret,
      natsSeed: this.options.natsUrl ? undefined : (deployment: string) => natsSeed(secrets, deployment),
      chainsEnv: devnetChainsEnv(configuration, dataDir),
      nodes: machines && (await this.prepareMachines(machines, secret)),
    }
    await this.step('Bringing the database up to date', async () => {
      if (await staking?.hasNewGenesis()) await forgetSchema(servers.databaseUrl, 'staking')
      await migrateSchemas(deployments, surroundings)
    })
    this.plan(deployments, surroundings)
    const names = [...this.programs.keys()]
    await this.step(`Starting ${names.join(', ')}`, () => Promise.all(names.map((name) => this.startProgram(name))))
    const demo = await this.step('Setting up the demo user', () => this.seed(surroundings))
    return { info: await describe(deployments, surroundings, demo), notes: this.notes }
  }

  async restart(name: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    const program = this.programs.get(name)
    if (program) this.programs.set(name, { ...program, env: { ...program.env, ...env } })
    await this.supervisor.restart(name)
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
      stop: (signal) => running.stop(signal),
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

  private planEthereum(deployments: readonly Deployment[], chains: readonly ServedChain[]) {
    const { deployments: gateways, staking, command, notes } = planEthereum(deployments)
    this.notes.push(...notes)
    const folder = ethereumFolder(this.options.dataDir)
    return {
      ethereum: chains
        .filter((chain) => chain.family === 'evm')
        .filter(({ name }) => gateways.includes(name))
        .map((chain) => new EthereumChain(chain, join(folder, chain.name), command)),
      staking: staking ? new DevnetStakingChain(join(folder, 'staking'), command) : undefined,
    }
  }

  private async planMachines(deployments: readonly Deployment[]): Promise<MachinePlan | undefined> {
    if (!deployments.some(({ name }) => name === 'nodes')) return undefined
    const plan = await this.step('Looking for what nodes are made of', () => planMachines())
    this.notes.push(...plan.notes)
    return plan
  }

  private prepareMachines(plan: MachinePlan, secret: (name: string) => string): Promise<Machines> {
    const ports = this.options.ports === 'random' ? 'random' : 'usual'
    return Machines.prepare(plan, { folder: machinesFolder(this.options.dataDir), secret: secret('INSTALLATION'), ports })
  }

  private async startServers({ plans, ethereum, staking, nats: authorization }: Chains & { nats: string }) {
    const { databaseUrl, natsUrl } = this.options
    const nodes = [
      ...plans.map(({ deployment }) => nodeOf(deployment)),
      ...ethereum.flatMap(({ names }) => names),
      ...(staking ? STAKING_NODES : []),
    ]
    return this.step(`Starting ${['Postgres', 'NATS', ...nodes].join(', ')}`, async () => {
      const [database, nats, chains] = await Promise.all([
        databaseUrl ? requireListeningServer('DATABASE_URL', databaseUrl, 5432) : this.startPostgres(),
        natsUrl ? requireListeningServer('NATS_URL', natsUrl, 4222) : this.startNats(authorization),
        Promise.all(plans.map((plan) => this.startChain(plan))),
        Promise.all(ethereum.map((chain) => this.startEthereum(chain))),
        staking && this.startStaking(staking),
      ])
      return {
        databaseUrl: database,
        natsUrl: nats,
        chains: new Map(chains.map((chain) => [chain.plan.deployment, chain])),
        ethereum: new Map(ethereum.map((chain) => [chain.deployment, chain])),
        staking,
      }
    })
  }

  private async startChain(plan: ChainPlan): Promise<RegtestChain> {
    const chain = new RegtestChain(plan, chainsFolder(this.options.dataDir))
    await this.supervisor.start(nodeOf(plan.deployment), () => chain.start())
    await chain.grow()
    chain.live(this.end)
    return chain
  }

  private async startEthereum(chain: EthereumChain): Promise<void> {
    await Promise.all(chain.names.map((name) => this.supervisor.start(name, () => chain.start(name))))
    await chain.grow()
    chain.live(this.end)
  }

  private async startStaking(chain: DevnetStakingChain): Promise<void> {
    for (const name of STAKING_NODES) await this.supervisor.start(name, () => chain.start(name))
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

  private async startNats(authorization: string): Promise<string> {
    let server: { url: string; port?: number } = { url: '' }
    await this.supervisor.start('nats', async () => {
      const started = await startNats({ dir: join(this.options.dataDir, 'nats'), port: server.port, authorization })
      server = started
      return started.process
    })
    return server.url
  }

  private async seed({ ports, ethereum }: ServiceContext): Promise<Demo> {
    const ingress = publicUrl(INGRESS, ports)
    const { demoId: userId, notes } = await seed(`${ingress}/accounts`)
    const projects = await seedProjects(ingress, [...ethereum.keys()])
    this.notes.push(...notes, ...projects.notes)
    return { userId, projectUrls: projects.urls }
  }

  private plan(deployments: readonly Deployment[], surroundings: ServiceContext): void {
    const told = { ...surroundings.chainsEnv, PUBLIC_URL: publicUrl(INGRESS, surroundings.ports) }
    for (const deployment of deployments) {
      const isConsole = deployment.app === 'console'
      const env = isConsole ? consoleEnv(deployments, surroundings.ports, told) : deploymentEnv(deployment, surroundings)
      this.addProgram(deployment.name, deployment.app, env)
    }
    this.addProgram(INGRESS, 'ingress', ingressEnv(deployments, surroundings.ports, told))
  }

  private addProgram(name: string, app: string, env: Readonly<Record<string, string>>): void {
    const log = join(this.options.dataDir, 'logs', `${name}.log`)
    rmSync(log, { force: true })
    this.programs.set(name, { app, env, log })
  }

  private startProgram(name: string): Promise<void> {
    return this.supervisor.start(name, () => startProgram(name, this.program(name)))
  }

  private program(name: string): ServiceProgram {
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

export function ethereumFolder(dataDir: string): string {
  return join(dataDir, 'ethereum')
}

/** Where nodes that people make keep their data. */
export function machinesFolder(dataDir: string): string {
  return join(dataDir, 'nodes')
}

/** What runs, apart from services. */
interface Chains {
  readonly plans: readonly ChainPlan[]
  readonly ethereum: readonly EthereumChain[]
  readonly staking?: DevnetStakingChain
}

async function announced<T>(title: string, work: () => Promise<T>): Promise<T> {
  console.error(title)
  return work()
}
