import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '../ports.js'
import { endLeftover, type RunningProcess, startProcess } from '../process.js'
import type { Daemon } from './daemon.js'
import { NodeRpc } from './node-rpc.js'

interface NodeOptions {
  readonly daemon: Daemon
  /** Belongs to one caller at a time; a second start on it finds the chain again. */
  readonly dir: string
  /** Free ones when left out. */
  readonly ports?: NodePorts
  /**
   * Litecoin's extension blocks, from block 432 on. The first one wants a transaction into it: without one waiting, no block is made
   * after 431. Left out, there are none.
   */
  readonly mweb?: boolean
  /** Serves blocks over REST too, which asks for no password. */
  readonly rest?: boolean
}

interface NodePorts {
  readonly rpc: number
  readonly zmq: number
}

/** A node of a chain of its own (regtest), where blocks are made at will. */
export interface RunningNode {
  readonly url: string
  readonly cookieFile: string
  /** Where it publishes; litecoind is built without that. */
  readonly zmqUrl?: string
  readonly daemon: Daemon
  readonly rpc: NodeRpc
  readonly ports: NodePorts
  readonly pid: number
  readonly process: RunningProcess
  stop(): Promise<void>
}

const ATTEMPTS = 5

/** Starts a real node on 127.0.0.1, without peers, that ends with this process. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const home = resolve(options.dir)
  mkdirSync(home, { recursive: true })
  await endEarlierRun(home)
  const { process, ports } = await startWhenPossible(options, home)
  const { url, cookieFile, rpc } = addressOf(home, ports)
  const zmqUrl = (await publishes(rpc)) ? `tcp://127.0.0.1:${ports.zmq}` : undefined
  return { url, cookieFile, zmqUrl, daemon: options.daemon, rpc, ports, pid: process.pid, process, stop: () => process.stop() }
}

/** Forgets the chain. */
export async function removeNode(dir: string): Promise<void> {
  await endEarlierRun(resolve(dir))
  rmSync(dir, { recursive: true, force: true })
}

/** Writes what the node knows to its files. It does so itself when it stops, but a killed one has lost all blocks since. */
export async function flush(rpc: NodeRpc): Promise<void> {
  await rpc.call('gettxoutsetinfo', 'none')
}

async function startWhenPossible(options: NodeOptions, home: string) {
  const { name, command } = options.daemon
  const log = join(home, 'node.log')
  for (let attempt = 1; ; attempt++) {
    const ports = options.ports ?? (await randomPorts())
    rmSync(log, { force: true })
    const process = startProcess({ name, command, args: argumentsFor(options, home, ports), log })
    if (await becomesReady(process, addressOf(home, ports).rpc)) return { process, ports }
    const reason = process.lastLines(10)
    // A free port may be taken by somebody quicker.
    const passing = !options.ports && /unable to (?:bind|start http)|address already in use/i.test(reason)
    if (!passing || attempt === ATTEMPTS) throw new Error(`${name} did not start:\n${reason}`)
  }
}

async function randomPorts(): Promise<NodePorts> {
  const [rpc = 0, zmq = 0] = await freePorts(2)
  return { rpc, zmq }
}

function argumentsFor({ daemon, mweb, rest }: NodeOptions, home: string, { rpc, zmq }: NodePorts): string[] {
  const settings = [
    'server=1',
    `rest=${Number(rest ?? false)}`,
    'txindex=1',
    'listen=0',
    'dnsseed=0',
    'fallbackfee=0.0002',
    'acceptnonstdtxn=1',
  ]
  const address = ['rpcbind=127.0.0.1', 'rpcallowip=127.0.0.1', `rpcport=${rpc}`]
  const publishers = ['hashblock', 'hashtx', 'sequence'].map((topic) => `zmqpub${topic}=tcp://127.0.0.1:${zmq}`)
  // On regtest a node checks its whole index again with every block, and makes a thousand keys with every wallet.
  const quick = ['checkblockindex=0', 'checkmempool=0', 'keypool=10']
  const files = [`datadir=${home}`, `pid=${pidFile(home)}`, 'printtoconsole=1', 'debuglogfile=0']
  const own = {
    // The wallet would wait for the disk with every block.
    bitcoind: ['unsafesqlitesync=1'],
    litecoind: mweb ? [] : ['vbparams=mweb:9999999999:9999999999'],
    dogecoind: [],
    dashd: [],
  }[daemon.name]
  return ['regtest', ...settings, ...address, ...publishers, ...quick, ...files, ...own].map((setting) => `-${setting}`)
}

function addressOf(home: string, ports: NodePorts) {
  const url = `http://127.0.0.1:${ports.rpc}`
  const cookieFile = join(home, 'regtest/.cookie')
  return { url, cookieFile, rpc: new NodeRpc(url, cookieFile) }
}

async function becomesReady(process: RunningProcess, rpc: NodeRpc): Promise<boolean> {
  while (process.isRunning()) {
    const ready = await rpc.call('getblockcount').then(
      () => true,
      () => false,
    )
    if (ready) return true
    await delay(20)
  }
  return false
}

function publishes(rpc: NodeRpc): Promise<boolean> {
  return rpc.call<unknown[]>('getzmqnotifications').then(
    (publishers) => publishers.length > 0,
    () => false,
  )
}

async function endEarlierRun(home: string): Promise<void> {
  const file = pidFile(home)
  if (!existsSync(file)) return
  await endLeftover(Number(readFileSync(file, 'utf8')), `-datadir=${home}`, 'SIGTERM')
  rmSync(file, { force: true })
}

function pidFile(home: string): string {
  return join(home, 'node.pid')
}
