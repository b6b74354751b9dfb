import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BITCOIN_FAMILY, type BitcoinChainName } from '@trestle/contracts/chains/bitcoin-family'
import { type BitcoinDaemonName, findDaemon } from '@trestle/devnet/chains/daemon'
import { MWEB_HEIGHT, pegIn } from '@trestle/devnet/chains/history'
import { flush, type RunningNode, startNode } from '@trestle/devnet/chains/node'
import type { RpcInvocation } from '@trestle/devnet/chains/node-rpc'
import { workerFolder } from './worker-folder.js'

type TestCoin = { [C in BitcoinChainName]: (typeof BITCOIN_FAMILY)[C]['daemon'] extends BitcoinDaemonName ? C : never }[BitcoinChainName]

interface TestChainOptions {
  /** A chain that the devnet has a node for. */
  readonly coin: TestCoin
  /** Litecoin with extension blocks: the chain starts at the first of them, 432. */
  readonly mweb?: boolean
}

export interface TestChain {
  readonly url: string
  /** `user:password`; changes with every start. */
  readonly cookieFile: string
  /** Only of bitcoind: Debian's litecoind is built without ZMQ. */
  readonly zmqUrl?: string
  /** The process id of the running node. */
  pid(): number
  /** `url` with the current user and password. */
  urlWithCredentials(): string
  /** Also for the methods of the wallet, which has the rewards of `mine` after 100 blocks. */
  rpc<T>(method: string, ...params: unknown[]): Promise<T>
  /** In one HTTP request, which is much faster. */
  batch<T>(calls: readonly RpcInvocation[]): Promise<T[]>
  /** Mines blocks; resolves to their hashes. */
  mine(count: number): Promise<string[]>
  /** Writes the chain to disk, then SIGKILL; otherwise a killed node loses the blocks that were only in memory. */
  kill(): Promise<void>
  /** Starts on the same ports, with the same chain. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts a node for one test, on a new regtest chain. */
export async function testChain({ coin, mweb = false }: TestChainOptions): Promise<TestChain> {
  const daemon = await findDaemon(BITCOIN_FAMILY[coin].daemon)
  const dir = mkdtempSync(join(workerFolder(), `${coin}-`))
  let node = await startNode({ daemon, dir, mweb, rest: true })
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
      node = await startNode({ daemon, dir, mweb, rest: true, ports: node.ports })
    },
    async stop() {
      await end('SIGKILL')
      rmSync(dir, { recursive: true })
    },
  }
}

/**
 * Whether bitcoind is installed, to choose before `describe`: `(await hasBitcoind()) ? describe : describe.skip`.
 * Prints a line if it is not. Tests with litecoind always run.
 */
export function hasBitcoind(): Promise<boolean> {
  return findDaemon('bitcoind').then(
    () => true,
    ({ message }: Error) => {
      process.stderr.write(`Tests with bitcoind are skipped. ${message}\n`)
      return false
    },
  )
}

/** Creates a wallet that is loaded at every start; resolves to an address of it. */
async function newWallet({ rpc }: RunningNode): Promise<string> {
  const [none, isLoadedAtStart] = [null, true]
  await rpc.call('createwallet', 'test', none, none, none, none, none, isLoadedAtStart)
  return rpc.call<string>('getnewaddress')
}

function withCredentials(url: string, cookieFile: string): string {
  const [username = '', password = ''] = readFileSync(cookieFile, 'utf8').split(':')
  return Object.assign(new URL(url), { username, password }).href
}
