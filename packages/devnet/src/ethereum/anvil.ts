import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { foldersOfPath, namedProgram, programIn } from '../executable.js'
import { freePorts } from '../ports.js'
import { endLeftover, type RunningProcess, startProcess } from '../process.js'
import { WORKSPACE } from '../workspace.js'
import { EthereumRpc } from './ethereum-rpc.js'

export interface AnvilOptions {
  readonly command: string
  /** Belongs to one caller at a time; a second start on it finds the chain again, where the first was not killed. */
  readonly dir: string
  /** A free one when left out. */
  readonly port?: number
  readonly chainId: number
  /** Whose rules it keeps: `cancun`, `berlin`; anvil's newest when left out. */
  readonly hardfork?: string
  /** How many states it keeps on the disk, of up to a megabyte each, beside 200 in memory; 5,000 when left out. */
  readonly statesKept?: number
}

export interface RunningAnvil {
  readonly url: string
  readonly webSocketUrl: string
  readonly rpc: EthereumRpc
  readonly port: number
  readonly pid: number
  readonly process: RunningProcess
  stop(): Promise<void>
}

const ATTEMPTS = 5
// All anvils begin with the same block, whenever they do: this is when Ethereum began.
const GENESIS_TIME = 1_438_269_988
// Blocks are safe after one epoch and final after two.
const BLOCKS_AN_EPOCH = 8
const STATES_KEPT = 5000
// Some 9,000 blocks: what is larger takes seconds to read, and the chain begins anew.
const LARGEST_CHAIN = 50 * 2 ** 20
const ABI = process.arch === 'x64' ? 'amd64' : process.arch

/** The path of an anvil: `ANVIL`, what npm installed for this machine, on PATH, or where foundryup puts it. */
export function findAnvil(env: NodeJS.ProcessEnv = process.env): string {
  const installed = join(WORKSPACE, `packages/devnet/node_modules/@foundry-rs/anvil-${process.platform}-${ABI}/bin`)
  const folders = [installed, ...foldersOfPath(env), ...(env.HOME ? [join(env.HOME, '.foundry/bin')] : [])]
  const found = namedProgram('ANVIL', env) ?? programIn(folders, 'anvil')
  if (found) return found
  throw new Error(
    `There is no anvil on this machine, and npm brings none for ${process.platform} on ${process.arch}. Install Foundry (https://getfoundry.sh), or set ANVIL=/path/to/anvil.`,
  )
}

/** Starts a real Ethereum node on 127.0.0.1 that makes no block unless told to, and ends with this process. */
export async function startAnvil(options: AnvilOptions): Promise<RunningAnvil> {
  const home = resolve(options.dir)
  mkdirSync(home, { recursive: true })
  await endEarlierRun(home)
  rmSync(join(home, 'cache'), { recursive: true, force: true })
  if (sizeOf(stateFile(home)) > LARGEST_CHAIN) rmSync(stateFile(home))
  const { process, port } = await startWhenPossible(options, home)
  writeFileSync(pidFile(home), String(process.pid))
  const url = `http://127.0.0.1:${port}`
  const webSocketUrl = `ws://127.0.0.1:${port}`
  return { url, webSocketUrl, rpc: new EthereumRpc(url), port, pid: process.pid, process, stop: () => process.stop() }
}

/** Forgets the chain. */
export async function removeAnvil(dir: string): Promise<void> {
  await endEarlierRun(resolve(dir))
  rmSync(dir, { recursive: true, force: true })
}

async function startWhenPossible(options: AnvilOptions, home: string) {
  const log = join(home, 'anvil.log')
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePorts(1))[0] ?? 0
    rmSync(log, { force: true })
    const process = startProcess({ name: 'anvil', command: options.command, args: argumentsFor(options, home, port), log })
    if (await becomesReady(process, port)) return { process, port }
    const reason = process.lastLines(10)
    // A free port may be taken by somebody quicker; and a chain half written is none.
    const passing = /address already in use/i.test(reason) ? !options.port : existsSync(stateFile(home))
    if (!passing || attempt === ATTEMPTS) throw new Error(`anvil did not start:\n${reason}`)
    if (!/address already in use/i.test(reason)) rmSync(stateFile(home), { force: true })
  }
}

function argumentsFor({ chainId, hardfork, statesKept = STATES_KEPT }: AnvilOptions, home: string, port: number): string[] {
  const settings: Record<string, string | number | undefined> = {
    host: '127.0.0.1',
    port,
    'chain-id': chainId,
    hardfork,
    timestamp: GENESIS_TIME,
    // In the order of their arrival: who is given the same transactions makes the same block.
    order: 'fifo',
    'slots-in-an-epoch': BLOCKS_AN_EPOCH,
    // Written when it is asked to stop.
    state: stateFile(home),
    'cache-path': join(home, 'cache'),
    'max-persisted-states': statesKept,
  }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  // A chain is handed over as one parameter.
  return ['--no-mining', '--no-request-size-limit', '--quiet', ...given.flatMap(([name, value]) => [`--${name}`, String(value)])]
}

async function becomesReady(process: RunningProcess, port: number): Promise<boolean> {
  const rpc = new EthereumRpc(`http://127.0.0.1:${port}`)
  while (process.isRunning()) {
    const ready = await rpc.call('eth_chainId').then(
      () => true,
      () => false,
    )
    if (ready) return true
    await delay(20)
  }
  return false
}

async function endEarlierRun(home: string): Promise<void> {
  const file = pidFile(home)
  if (!existsSync(file)) return
  await endLeftover(Number(readFileSync(file, 'utf8')), stateFile(home), 'SIGTERM')
  rmSync(file, { force: true })
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function stateFile(home: string): string {
  return join(home, 'chain.json')
}

function pidFile(home: string): string {
  return join(home, 'anvil.pid')
}
