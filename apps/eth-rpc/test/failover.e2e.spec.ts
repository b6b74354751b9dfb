import { setTimeout as delay } from 'node:timers/promises'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { Pool } from 'undici'
import { primaryOf, UNLIMITED } from './faulty-stage.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { resultOfRpc } from './json-rpc.js'

const CONNECTIONS = 12
/** Asked while a node is away, and while it comes back. */
const CALLS = 300

let anvils: TestAnvils
let gateway: EthRpcUnderTest
let load: Load
beforeAll(async () => {
  anvils = await startAnvils({ count: 3, blockTime: 200 })
  await anvils.send()
  gateway = await startEthRpcUnderTest(anvils.nodes.map(({ name, url, webSocketUrl }) => `${name}=${url}+${webSocketUrl}#archive`).join())
  load = new Load(await gateway.project(UNLIMITED), anvils.accounts)
})
afterAll(async () => {
  await load.stop()
  await gateway.stop()
  await anvils.stop()
})

describe('nobody notices a node that is killed under load', () => {
  it.each([0, 1, 2])('node %d, which comes back', async (node) => {
    await killAndRestart(node)
  })

  it.each(['once', 'and once more'])('the primary, %s', async () => {
    await killAndRestart(await primaryOf(gateway.service.internalUrl))
  })

  it('two of three', async () => {
    await anvils.kill(0)
    await anvils.kill(1)
    await load.more(CALLS)
    await anvils.restart(0)
    await anvils.restart(1)
    await isBack(0)
    await isBack(1)
    await load.more(CALLS)
  })

  it('one that hangs', async () => {
    const primary = await primaryOf(gateway.service.internalUrl)
    await anvils.freeze(primary)
    await load.more(CALLS)
    anvils.thaw(primary)
    await load.more(CALLS)
  })

  it('in thousands of calls, and the newest block has never gone back', () => {
    expect(load.wrong).toEqual([])
    expect(load.answered).toBeGreaterThan(10 * CALLS)
  })
})

async function killAndRestart(node: number): Promise<void> {
  await load.more(CALLS)
  await anvils.kill(node)
  await load.more(CALLS)
  await anvils.restart(node)
  await isBack(node)
  await load.more(CALLS)
  expect(load.wrong).toEqual([])
}

async function isBack(node: number): Promise<void> {
  const { url } = anvils.nodes[node]!
  await eventually(async () => (await resultOfRpc(url, 'eth_blockNumber')) !== '0x0' || undefined, 'the node is back')
}

interface Block {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
}

type Question = () => Promise<unknown>

/** Many who ask without a pause, over a connection each; whoever is refused, or told what cannot be, says so. */
class Load {
  answered = 0
  readonly wrong: unknown[] = []
  private readonly pool: Pool
  private readonly path: string
  private readonly running: Promise<unknown>
  private isStopped = false

  constructor(
    url: string,
    private readonly accounts: readonly string[],
  ) {
    const { origin, pathname } = new URL(url)
    this.pool = new Pool(origin, { connections: CONNECTIONS })
    this.path = pathname
    this.running = Promise.all(Array.from({ length: CONNECTIONS }, () => this.askOn()))
  }

  /** So many calls later. */
  async more(calls: number): Promise<void> {
    const goal = this.answered + calls
    while (this.answered < goal) await delay(10)
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
    await this.pool.close()
  }

  private async askOn(): Promise<void> {
    let newest = 0
    const seen = (number: string) => {
      if (Number(number) < newest) this.wrong.push(`${Number(number)} after ${newest}`)
      newest = Math.max(newest, Number(number))
      return newest
    }
    const questions: Question[] = [
      async () => seen(await this.ask('eth_blockNumber')),
      async () => {
        const latest = await this.ask<Block>('eth_getBlockByNumber', 'latest', false)
        seen(latest.number)
        // A child whose parent is known by nobody, or is another one, would be of two chains.
        const parent = await this.ask<Block | null>('eth_getBlockByHash', latest.parentHash, false)
        const same = await this.ask<Block | null>('eth_getBlockByNumber', parent?.number, false)
        if (same?.hash !== latest.parentHash) this.wrong.push({ latest, parent, same })
      },
      async () => {
        const balance = await this.ask<string>('eth_getBalance', `0x${crypto.randomUUID().replaceAll('-', '').padEnd(40, '0')}`, 'latest')
        if (balance !== '0x0') this.wrong.push({ balance })
      },
      async () => {
        const nonce = await this.ask<string>('eth_getTransactionCount', this.accounts[0], 'latest')
        if (nonce !== '0x1') this.wrong.push({ nonce })
      },
      async () => {
        const logs = await this.ask<unknown[]>('eth_getLogs', { fromBlock: `0x${Math.max(newest - 3, 0).toString(16)}`, toBlock: 'latest' })
        if (logs.length > 0) this.wrong.push({ logs })
      },
    ]
    for (let turn = 0; !this.isStopped; turn++) {
      await questions[turn % questions.length]!().catch((error: Error) => this.wrong.push(error.message))
      this.answered++
    }
  }

  private async ask<T>(method: string, ...params: unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await this.pool.request({ method: 'POST', path: this.path, headers, body })
    const { result, error } = (await answer.body.json()) as { result: T; error?: object }
    if (error) throw new Error(`${method} ${JSON.stringify(params)}: ${answer.statusCode} ${JSON.stringify(error)}`)
    return result
  }
}
