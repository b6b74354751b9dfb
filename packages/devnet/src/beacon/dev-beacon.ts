import { SLOTS_PER_EPOCH } from '@lodestar/params'
import type { FastifyInstance } from 'fastify'
import { EthereumRpc } from '../ethereum/ethereum-rpc.js'
import { registerBeacon } from './beacon-api.js'
import { BeaconChain } from './beacon-chain.js'
import { registerDev } from './dev-api.js'
import { BeaconEvents } from './events-api.js'
import { type BlockOrder, Execution } from './execution.js'
import { registerExecution } from './execution-proxy.js'
import { genesisState, interopKeys } from './genesis.js'
import { createServer } from './http.js'
import { Keymanager } from './keymanager.js'
import { registerKeymanager } from './keymanager-api.js'
import { registerRewards } from './rewards-api.js'
import type { BeaconSettings } from './settings.js'
import { ValidatorSigners } from './signers.js'
import { type BeaconSnapshot, readSnapshot, writeSnapshot } from './snapshot.js'
import { registerStates } from './states-api.js'

const GENESIS_VALIDATORS = 64
const GENESIS_FEE_RECIPIENT = '0x00000000000000000000000000000000000000fe'
/** For validators without a fee recipient. */
const DEFAULT_FEE_RECIPIENT = '0x00000000000000000000000000000000000000ff'

/** A beacon node, its validator clients and their clock, in this process. */
export class DevBeacon {
  private readonly events = new BeaconEvents()
  private readonly down = new Set<string>()
  private readonly servers: FastifyInstance[] = []
  private last: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  private constructor(
    private readonly settings: BeaconSettings,
    readonly chain: BeaconChain,
    private readonly signers: ValidatorSigners,
    private readonly save: () => void,
  ) {}

  /** Resumes from the last snapshot if anvil has kept its chain too; otherwise starts from a new genesis. */
  static async open(settings: BeaconSettings): Promise<DevBeacon> {
    const execution = await Execution.open(new EthereumRpc(settings.anvilUrl))
    const saved = await resumable(settings, execution)
    const { secondsPerSlot, seed, verify, archive, file } = settings
    const genesisTime = saved?.genesisTime ?? genesisTimeOf(settings, execution)
    const genesisHash = saved?.genesisHash ?? execution.head.hash
    const { config, state } = genesisState({
      secondsPerSlot,
      seed,
      genesisTime,
      chainId: execution.chainId,
      validators: GENESIS_VALIDATORS,
      executionHash: Buffer.from(genesisHash.slice(2), 'hex'),
    })
    const root = Buffer.from(config.genesisValidatorsRoot)
    const keymanagers = settings.keymanagers.map(({ name }) => new Keymanager(name, DEFAULT_FEE_RECIPIENT, root))
    const signers = new ValidatorSigners(interopKeys(GENESIS_VALIDATORS), keymanagers, GENESIS_FEE_RECIPIENT)
    if (saved) signers.restore(saved.signers)
    const mine = (order: BlockOrder) => execution.mine(order).catch(report)
    const chain = new BeaconChain({ genesis: state, signers, mine, verify, archive, saved: saved?.chain })
    const save = () => {
      const parts = { execution: execution.save(), chain: chain.save(), signers: signers.save() }
      if (file) writeSnapshot(file, { genesisTime, genesisHash, secondsPerSlot, seed, ...parts })
    }
    const beacon = new DevBeacon(settings, chain, signers, save)
    await beacon.listen()
    return beacon
  }

  /** Adds slots one after another, also for concurrent calls. */
  advance(slots: number): Promise<void> {
    const advanced = this.last.then(async () => {
      for (let count = 0; count < slots && !this.isClosed; count++) {
        await this.chain.nextSlot()
        this.events.publish(this.chain)
      }
    })
    this.last = advanced.catch(() => undefined)
    return advanced
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    this.events.close()
    await Promise.all(this.servers.map((server) => server.close()))
    await this.last
    this.save()
  }

  private async listen() {
    const { chain, signers, settings, down } = this
    const server = this.serve('beacon')
    registerBeacon(server, chain)
    registerStates(server, chain)
    registerRewards(server, chain)
    registerExecution(server, chain, settings.anvilUrl)
    registerDev(server, { chain, signers, down, advance: (slots) => this.advance(slots) })
    this.events.register(server)
    await server.listen({ host: '127.0.0.1', port: settings.port })
    for (const { name, port, token } of settings.keymanagers) {
      const keymanager = signers.keymanagers.find((each) => each.name === name)
      if (!keymanager) continue
      const own = this.serve(name)
      registerKeymanager(own, { keymanager, chain, token })
      await own.listen({ host: '127.0.0.1', port })
    }
    if (!settings.byHand) this.tick(Date.now() + settings.secondsPerSlot * 1000)
  }

  private serve(name: string): FastifyInstance {
    const server = createServer()
    this.servers.push(server)
    // While it is down, connections are cut.
    server.addHook('onRequest', async (request) => {
      if (this.down.has(name) && !request.url.startsWith('/dev/')) request.raw.socket.destroy()
    })
    return server
  }

  private tick(at: number) {
    this.timer = setTimeout(
      () => {
        if (this.isClosed) return
        const next = Math.max(at + this.settings.secondsPerSlot * 1000, Date.now())
        this.advance(1).then(() => this.afterTick(next), fail)
      },
      Math.max(at - Date.now(), 0),
    )
  }

  private afterTick(next: number) {
    if (this.isClosed) return
    // A kill loses at most an epoch, of which nothing was final.
    if (this.chain.head.slot % SLOTS_PER_EPOCH === 0) this.save()
    this.tick(next)
  }
}

async function resumable(settings: BeaconSettings, execution: Execution): Promise<BeaconSnapshot | undefined> {
  const saved = settings.file === undefined ? undefined : readSnapshot(settings.file)
  const isSame = saved?.seed === settings.seed && saved.secondsPerSlot === settings.secondsPerSlot
  return isSame && (await execution.resume(saved.execution)) ? saved : undefined
}

function genesisTimeOf({ genesisTime }: BeaconSettings, { head }: Execution): number {
  const time = genesisTime ?? Math.max(Math.ceil(Date.now() / 1000), head.timestamp)
  if (time < head.timestamp) throw new Error(`The genesis cannot be at ${time}: anvil is at ${head.timestamp} already.`)
  return time
}

/** The slot is missed, as when a real proposer's execution client is unreachable. */
function report(error: unknown): never {
  console.error('No execution block:', error)
  throw error
}

/** A chain that cannot continue ends the process. */
function fail(error: unknown) {
  console.error(error)
  process.exit(1)
}
