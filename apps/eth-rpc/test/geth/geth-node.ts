import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EthereumRpc } from '@trestle/devnet/ethereum/ethereum-rpc'
import { freePorts } from '@trestle/devnet/ports'
import { type RunningProcess, startProcess } from '@trestle/devnet/process'
import { eventually } from '@trestle/testing/eventually'
import { workerFolder } from '@trestle/testing/worker-folder'

interface GethOptions {
  /** Keeps the state of every block. */
  readonly archive?: boolean
  /** Seconds a block; by default a block is made for each transaction. */
  readonly period?: number
  readonly webSocket?: boolean
}

export const GETH_CHAIN_ID = 1337
const API = 'eth,net,web3,debug,txpool'

/** A geth with a private chain, of which one account with ether is unlocked. */
export async function startGeth(options: GethOptions = {}): Promise<RunningGeth> {
  const dir = mkdtempSync(join(workerFolder(), 'geth-'))
  const [httpPort, webSocketPort] = (await freePorts(2)) as [number, number]
  return RunningGeth.start({ webSocket: true, ...options, dir, httpPort, webSocketPort })
}

interface GethSettings extends GethOptions {
  readonly dir: string
  readonly httpPort: number
  readonly webSocketPort: number
}

export class RunningGeth {
  readonly url: string
  readonly webSocketUrl: string
  readonly rpc: EthereumRpc

  private constructor(
    private readonly settings: GethSettings,
    private process: RunningProcess,
  ) {
    this.url = `http://127.0.0.1:${settings.httpPort}`
    this.webSocketUrl = `ws://127.0.0.1:${settings.webSocketPort}`
    this.rpc = new EthereumRpc(this.url)
  }

  static async start(settings: GethSettings): Promise<RunningGeth> {
    const geth = new RunningGeth(settings, run(settings))
    await geth.answers()
    return geth
  }

  /** As `UPSTREAMS` has it. */
  get upstream(): string {
    const { archive, webSocket } = this.settings
    return `geth=${this.url}${webSocket ? `+${this.webSocketUrl}` : ''}${archive ? '#archive' : ''}`
  }

  /** Like a machine that loses its power. */
  async killAndRestart(): Promise<void> {
    await this.process.stop('SIGKILL')
    this.process = run(this.settings)
    await this.answers()
  }

  async stop(): Promise<void> {
    await this.process.stop()
    rmSync(this.settings.dir, { recursive: true, force: true })
  }

  private async answers(): Promise<void> {
    const asked = () => this.rpc.call('eth_chainId').catch(() => undefined)
    await eventually(() => {
      if (!this.process.isRunning()) throw new Error(`geth has ended:\n${this.process.lastLines()}`)
      return asked()
    }, 'geth answers')
  }
}

function run({ dir, httpPort, webSocketPort, archive, period = 0, webSocket }: GethSettings): RunningProcess {
  const command = process.env.GETH
  if (!command) throw new Error('GETH does not name a geth: these tests are run by npm run test:geth.')
  const http = ['--http', '--http.addr=127.0.0.1', `--http.port=${httpPort}`, `--http.api=${API}`]
  const ws = ['--ws', '--ws.addr=127.0.0.1', `--ws.port=${webSocketPort}`, `--ws.api=${API}`]
  const own = ['--dev', `--dev.period=${period}`, `--datadir=${join(dir, 'data')}`, '--ipcdisable', '--authrpc.port=0']
  const args = [
    ...own,
    '--nodiscover',
    '--maxpeers=0',
    '--port=0',
    ...http,
    ...(webSocket ? ws : []),
    ...(archive ? ['--gcmode=archive'] : []),
  ]
  return startProcess({ name: 'geth', command, args, log: join(dir, 'geth.log') })
}
