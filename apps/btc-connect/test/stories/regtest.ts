import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BitcoinDaemonName, type Daemon, findDaemon } from '@trestle/devnet/chains/daemon'
import { type RunningNode, startNode } from '@trestle/devnet/chains/node'
import { NodeConsole } from './node-console.js'

// Whatever a block may have, the node is to take from us; what a node does not know it passes over.
const POLICY = {
  bitcoind: ['bitcoin.conf', 'corepolicy=1', 'datacarriersize=100000', 'acceptnonstddatacarrier=1', 'maxscriptsize=100000'],
  litecoind: ['litecoin.conf', 'mempoolreplacement=1'],
} satisfies Partial<Record<BitcoinDaemonName, [string, ...string[]]>>

export type TestedDaemon = keyof typeof POLICY

export interface Regtest extends RunningNode {
  readonly console: NodeConsole
  readonly coin: 'btc' | 'ltc'
  /** After `stop` or a kill: the same chain, at the same address. */
  start(): Promise<void>
  remove(): Promise<void>
}

/** A real node with a chain of its own. */
export async function startRegtest(name: TestedDaemon, { mweb = false } = {}): Promise<Regtest> {
  const dir = mkdtempSync(join(tmpdir(), 'trestle-chain-'))
  const [file, ...settings] = POLICY[name]
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, file), `${settings.join('\n')}\n`)
  const daemon: Daemon = await findDaemon(name)
  let node = await startNode({ daemon, dir, mweb, rest: true })
  const { ports } = node
  return {
    ...node,
    console: new NodeConsole(node),
    coin: name === 'bitcoind' ? 'btc' : 'ltc',
    async start() {
      node = await startNode({ daemon, dir, mweb, rest: true, ports })
    },
    stop: () => node.stop(),
    async remove() {
      await node.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Why there is no such daemon here; undefined where there is one. */
export async function missing(name: BitcoinDaemonName): Promise<string | undefined> {
  return findDaemon(name).then(
    () => undefined,
    (error: Error) => error.message,
  )
}
