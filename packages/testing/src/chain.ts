import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BITCOIN_FAMILY, type BitcoinChainName } from '@trestle/contracts/chains/bitcoin-family'
import { type DaemonName, findDaemon } from '@trestle/devnet/chains/daemon'
import { MWEB_HEIGHT, pegIn } from '@trestle/devnet/chains/history'
import { flush, type RunningNode, startNode } from '@trestle/devnet/chains/node'
import type { Call } from '@trestle/devnet/chains/node-rpc'
import { workerFolder } from './worker-folder.js'

type TestCoin = { [C in BitcoinChainName]: (typeof BITCOIN_FAMILY)[C]['daemon'] extends DaemonName ? C : never }[BitcoinChainName]

export interface TestChainOptions {
  /** One that a devnet can have a node of. */
  readonly coin: TestCoin
  /** Litecoin with its extension blocks: the chain is at their first one, 432. */
  readonly mweb?: boolean
}

export interface TestChain {
  readonly url: string
  /** User and password, with a colon between; others after every start. */
  readonly cookieFile: string
  /** bitcoind's only: Debian's litecoind is built without. */
  readonly zmqUrl?: string
  /** The node's process at this moment. */
  pid(): number
  /** `url` with the user and password of this moment in it. */
  urlWithCredentials(): string
  /** The methods of the wallet too; it has what `mine` earned, 100 blocks later. */
  rpc<T>(method: string, ...params: unknown[]): Promise<T>
  /** In one request, which is much faster. */
  batch<T>(calls: readonly Call[]): Promise<T[]>
  /** Makes blocks of what waits, and answers with their hashes. */
  mine(count: number): Promise<string[]>
  /** SIGKILL, with the chain on the disk; a node that is killed otherwise comes back without the blocks it had only in memory. */
  kill(): Promise<void>
  /** Again on the same ports, with the chain it had. */
  start(): Promise<void>
  /** For good. */
  stop(): Promise<void>
}

/** A node of one's own, on a chain (regtest) that begins with it. */
export async function testChain({ coin, mweb = false }: TestChainOptions): Promise<TestChain> {
  const daemon = await findDaemon(BITCOIN_FAMILY[coin].daemon)
  const dir = mkdtempSync(join(workerFolder(), `${coin}-`))
  let node = await startNode({ daemon, dir, mweb })
  const { url, cookieFile, zmqUrl, rpc } = node
  const address = await newWallet(node)

  function mine(count: number) {
    return rpc.call<string[]>('generatetoaddress', count, address)
  }
  async function kill() {
    await flush(rpc)
    await end('SIGKILL')
  }
  async function end(signal: NodeJS.Signals) {
    node.process.kill(signal)
    await node.process.exited
  }
  if (mweb) {
    await mine(MWEB_HEIGHT - 1)
    await pegIn(rpc)
    await mine(1)
  }
  return {
    url,
    cookieFile,
    zmqUrl,
    pid: () => node.pid,
    urlWithCredentials: () => withCredentials(url, cookieFile),
    rpc: (method, ...params) => rpc.call(method, ...params),
    batch: (calls) => rpc.batch(calls),
    mine,
    kill,
    async start() {
      node = await startNode({ daemon, dir, mweb, ports: node.ports })
    },
    async stop() {
      await end('SIGKILL')
      rmSync(dir, { recursive: true })
    },
  }
}

/**
 * Whether there is a bitcoind, so that a test which wants one is chosen by it, before `describe`: `(await hasBitcoind()) ? describe : describe.skip`.
 * Says so where there is none. litecoind is not asked for: the tests with it always run.
 */
export function hasBitcoind(): Promise<boolean> {
  return findDaemon('bitcoind').then(
    () => true,
    ({ message }: Error) => {
      process.stderr.write(`Tests with bitcoind are left out. ${message}\n`)
      return false
    },
  )
}

/** Makes a wallet that comes back with the node; one of its addresses. */
async function newWallet({ rpc }: RunningNode): Promise<string> {
  const [none, isLoadedAtStart] = [null, true]
  await rpc.call('createwallet', 'test', none, none, none, none, none, isLoadedAtStart)
  return rpc.call<string>('getnewaddress')
}

function withCredentials(url: string, cookieFile: string): string {
  const [username = '', password = ''] = readFileSync(cookieFile, 'utf8').split(':')
  return Object.assign(new URL(url), { username, password }).href
}
