import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { natsServer } from '@trestle/devnet/nats-server'
import { freePorts } from '@trestle/devnet/ports'
import { type RunningProcess, startProcess } from '@trestle/devnet/process'
import { workerFolder } from './worker-folder.js'

/** Three nats-servers with JetStream that form a cluster. Servers are named by their index. */
export interface NatsCluster {
  readonly url: string
  /** The name of a server, as JetStream reports it. */
  nameOf(server: number): string
  /** SIGKILL: nothing is flushed. */
  kill(server: number): Promise<void>
  /** Removes the data of a server that was killed. */
  wipe(server: number): void
  /** Starts with what is on disk, and resolves when the server accepts clients. */
  start(server: number): Promise<void>
  /** Cuts a server off from everybody, without closing a connection. */
  freeze(server: number): void
  thaw(server: number): void
  stop(): Promise<void>
}

const SIZE = 3
const START_MS = 20_000

/** Starts a cluster for one test. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const command = await natsServer()
  const dir = mkdtempSync(join(workerFolder(), 'nats-cluster-'))
  const ports = await freePorts(SIZE * 3)
  const servers = Array.from({ length: SIZE }, (_, i) => new ClusterServer(command, dir, `server-${i}`, ports.slice(i * 3)))
  const routes = servers.map(({ route }) => route)
  for (const server of servers) server.configure(routes)
  await Promise.all(servers.map((server) => server.start()))
  const at = (index: number): ClusterServer => {
    const server = servers[index]
    if (!server) throw new RangeError(`There is no server ${index}.`)
    return server
  }
  return {
    url: servers.map(({ url }) => url).join(','),
    nameOf: (server) => at(server).name,
    kill: (server) => at(server).kill(),
    wipe: (server) => at(server).wipe(),
    start: (server) => at(server).start(),
    freeze: (server) => at(server).signal('SIGSTOP'),
    thaw: (server) => at(server).signal('SIGCONT'),
    async stop() {
      await Promise.all(servers.map((server) => server.kill()))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

class ClusterServer {
  readonly url: string
  readonly route: string
  private readonly home: string
  private readonly config: string
  private running?: RunningProcess

  constructor(
    private readonly command: string,
    dir: string,
    readonly name: string,
    private readonly ports: readonly number[],
  ) {
    this.home = join(dir, name)
    this.config = join(dir, `${name}.conf`)
    this.url = `nats://127.0.0.1:${ports[0]}`
    this.route = `nats-route://127.0.0.1:${ports[1]}`
  }

  configure(routes: readonly string[]): void {
    const [client, cluster, monitor] = this.ports
    writeFileSync(
      this.config,
      `server_name: ${this.name}
listen: "127.0.0.1:${client}"
http: "127.0.0.1:${monitor}"
cluster { name: test, listen: "127.0.0.1:${cluster}", no_advertise: true, routes: ${JSON.stringify(routes)} }
jetstream { store_dir: ${JSON.stringify(this.home)} }
`,
    )
  }

  async start(): Promise<void> {
    this.running = startProcess({ name: this.name, command: this.command, args: ['-c', this.config], log: `${this.config}.log` })
    const deadline = Date.now() + START_MS
    while (!(await this.isServing())) {
      if (!this.running.isRunning() || Date.now() > deadline) throw new Error(`nats-server did not start:\n${this.running.lastLines(10)}`)
      await delay(20)
    }
  }

  async kill(): Promise<void> {
    await this.running?.stop('SIGKILL')
  }

  wipe(): void {
    rmSync(this.home, { recursive: true, force: true })
  }

  signal(signal: NodeJS.Signals): void {
    this.running?.kill(signal)
  }

  private async isServing(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.ports[2]}/`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
}
