import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '../ports.js'
import { type RunningProcess, startProcess } from '../process.js'
import { COMPILE_CACHE_ENV, WORKSPACE } from '../workspace.js'
import type { BeaconSettings } from './settings.js'

interface BeaconOptions {
  /** For its log and its keymanagers' tokens; used by one caller at a time. */
  readonly dir: string
  /** An anvil that nothing else mines on. */
  readonly anvilUrl: string
  /** By default a free one. */
  readonly port?: number
  /** By default 12; fractions are allowed. */
  readonly secondsPerSlot?: number
  /** No clock: only POST /dev/advance adds slots. */
  readonly byHand?: boolean
  /** In seconds; by default now. Not before the last block of anvil. */
  readonly genesisTime?: number
  /** The same seed yields the same proposers and committees. */
  readonly seed?: string
  /** One validator client each; by default `eu` and `us`. */
  readonly keymanagers?: readonly { readonly name: string; readonly port?: number }[]
  /** Keeps every state, not only those of the last 320 slots. */
  readonly archive?: boolean
  /** Verifies every block with all signatures, which is ten times slower. */
  readonly verify?: boolean
}

/** Pass it to the next start for the same URL. */
interface RunningKeymanager {
  readonly name: string
  readonly port: number
  readonly url: string
  readonly tokenFile: string
}

export interface RunningBeacon {
  readonly url: string
  /** The JSON-RPC of anvil, with withdrawals in its blocks. */
  readonly executionUrl: string
  readonly keymanagers: readonly RunningKeymanager[]
  readonly port: number
  readonly pid: number
  readonly process: RunningProcess
  stop(): Promise<void>
}

const ATTEMPTS = 5
const REGIONS: NonNullable<BeaconOptions['keymanagers']> = [{ name: 'eu' }, { name: 'us' }]
const PROGRAM = join(WORKSPACE, 'packages/devnet/dist/beacon/main.js')

/** Starts a beacon chain on 127.0.0.1 with its validator clients, over an anvil; it ends with this process. */
export async function startBeacon(options: BeaconOptions): Promise<RunningBeacon> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: build packages/devnet first.`)
  const home = resolve(options.dir)
  mkdirSync(home, { recursive: true })
  const { process, settings } = await startWithFreePorts(options, home)
  const url = `http://127.0.0.1:${settings.port}`
  const keymanagers = settings.keymanagers.map(({ name, port }) => ({
    name,
    port,
    url: `http://127.0.0.1:${port}`,
    tokenFile: tokenFile(home, name),
  }))
  return { url, executionUrl: `${url}/execution`, keymanagers, port: settings.port, pid: process.pid, process, stop: () => process.stop() }
}

async function startWithFreePorts(options: BeaconOptions, home: string) {
  const log = join(home, 'beacon.log')
  for (let attempt = 1; ; attempt++) {
    const settings = await settingsOf(options, home)
    rmSync(log, { force: true })
    // Lodestar reads the preset when it is loaded.
    const env = { ...globalThis.process.env, ...COMPILE_CACHE_ENV, LODESTAR_PRESET: 'minimal', BEACON_SETTINGS: JSON.stringify(settings) }
    const args = ['--enable-source-maps', '--max-old-space-size=192', '--max-semi-space-size=8', PROGRAM]
    const process = startProcess({ name: 'beacon', command: globalThis.process.execPath, args, env, log })
    if (await isReady(process, settings)) return { process, settings }
    const reason = process.lastLines(10)
    // Another process may have taken the port meanwhile.
    if (!reason.includes('EADDRINUSE') || attempt === ATTEMPTS) throw new Error(`The beacon did not start:\n${reason}`)
  }
}

async function settingsOf(options: BeaconOptions, home: string): Promise<BeaconSettings> {
  const { keymanagers = REGIONS, secondsPerSlot = 12, byHand = false, seed = 'trestle', archive = false, verify = false } = options
  const { anvilUrl, genesisTime } = options
  const [port = 0, ...ports] = await freePorts(keymanagers.length + 1)
  const clients = keymanagers.map((each, index) => ({
    name: each.name,
    port: each.port ?? ports[index] ?? 0,
    token: tokenIn(home, each.name),
  }))
  return {
    anvilUrl,
    file: join(home, 'chain.bin'),
    port: options.port ?? port,
    secondsPerSlot,
    byHand,
    genesisTime,
    seed,
    archive,
    verify,
    keymanagers: clients,
  }
}

/** Ready when all of its servers answer; the keymanagers start last. */
async function isReady(process: RunningProcess, { port, keymanagers }: BeaconSettings): Promise<boolean> {
  const last = keymanagers.at(-1)?.port ?? port
  while (process.isRunning()) {
    const answers = await fetch(`http://127.0.0.1:${last}/`).then(
      () => true,
      () => false,
    )
    if (answers) return true
    await delay(50)
  }
  return false
}

/** Keeps the token of an earlier start, so that clients need not read it again. */
function tokenIn(home: string, name: string): string {
  const file = tokenFile(home, name)
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

function tokenFile(home: string, name: string): string {
  return join(home, `keymanager-${name}.token`)
}
