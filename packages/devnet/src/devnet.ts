import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { servedChains } from '@trestle/contracts/chains/configuration'
import { STAKING_NODES } from './beacon/staking-chain.js'
import { removeChains } from './chains/chain.js'
import { lockDataFolder } from './data-folder-lock.js'
import type { DevnetInfo } from './devnet-info.js'
import { nodesOf, removeEthereum } from './ethereum/ethereum-chain.js'
import { guardMachines, releaseMachines } from './guard.js'
import { removeMachines, stopMachines } from './machines/machines.js'
import { removeNats } from './nats.js'
import { chainsFolder, type DevnetOptions, ethereumFolder, machinesFolder, nodeOf, Platform, type Replica } from './platform.js'
import { removePostgres } from './postgres.js'
import { Supervisor } from './supervisor.js'
import { writeAtomically } from './write-atomically.js'

/** A running platform. Processes are named as deployments are, and `ingress`, `postgres`, `nats`, `btc-node`, `eth-node-1`. */
export interface Devnet {
  readonly info: DevnetInfo
  /** What a person should know. */
  readonly notes: readonly string[]
  /** Settles, with the reason, when a process has ended that nobody told to. */
  readonly failed: Promise<string>
  stop(): Promise<void>
  kill(name: string, signal: NodeJS.Signals): void
  /** With these variables changed, from now on. */
  restart(name: string, env?: Readonly<Record<string, string>>): Promise<void>
  pidOf(name: string): number
  /** Another process of the same deployment, on ports of its own, with these variables changed. */
  startReplica(name: string, env?: Readonly<Record<string, string>>): Promise<Replica>
}

/** Starts the whole platform: Postgres, NATS, the chains, the services, the ingress; with a demo user; then writes devnet.json. */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const dataDir = resolve(options.dataDir)
  const chains = servedChains(options.chains ?? {})
  const release = lockDataFolder(dataDir)
  const supervisor = new Supervisor()
  const infoFile = join(dataDir, 'devnet.json')
  const end = new AbortController()
  const machines = machinesFolder(dataDir)
  guardMachines(machines)
  rmSync(infoFile, { force: true })
  async function stop() {
    end.abort()
    rmSync(infoFile, { force: true })
    await supervisor.stopAll([
      'nats',
      'postgres',
      ...chains.flatMap((chain) => (chain.family === 'evm' ? nodesOf(chain) : nodeOf(chain.name))),
      ...STAKING_NODES,
    ])
    await stopMachines(machines)
    releaseMachines(machines)
    release()
  }
  try {
    if (options.reset) await forget(dataDir, options)
    const platform = new Platform({ ...options, dataDir }, supervisor, end.signal)
    const { info, notes } = await Promise.race([platform.bringUp(), interruption(supervisor, options.signal)])
    writeAtomically(infoFile, info)
    return {
      info,
      notes,
      failed: supervisor.failed,
      stop,
      kill: (name, signal) => supervisor.kill(name, signal),
      restart: (name, env) => platform.restart(name, env),
      pidOf: (name) => supervisor.pidOf(name),
      startReplica: (name, env) => platform.startReplica(name, env),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function interruption(supervisor: Supervisor, signal?: AbortSignal): Promise<never> {
  const aborted = new Promise<string>((resolve) => signal?.addEventListener('abort', () => resolve('The start was given up.')))
  throw new Error(await Promise.race([supervisor.failed, aborted]))
}

async function forget(dataDir: string, { databaseUrl, natsUrl }: DevnetOptions): Promise<void> {
  if (databaseUrl || natsUrl)
    throw new Error('--reset forgets what Trestle keeps itself: unset DATABASE_URL and NATS_URL, or empty those servers yourself.')
  await removePostgres(join(dataDir, 'postgres'))
  await removeNats(join(dataDir, 'nats'))
  await removeChains(chainsFolder(dataDir))
  await removeGateways(ethereumFolder(dataDir))
  await removeMachines(machinesFolder(dataDir))
  rmSync(join(dataDir, 'secrets.json'), { force: true })
}

/** The chains of the gateways; that of the validators forgets by itself. */
async function removeGateways(folder: string): Promise<void> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'staking') : []
  await Promise.all(names.map((name) => removeEthereum(join(folder, name))))
}
