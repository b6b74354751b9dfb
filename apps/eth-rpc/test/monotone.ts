import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { callRpc, type TestRpcResponse } from './json-rpc.js'

/** Asks for the newest block again and again, in both ways there are. */
export class Monotone {
  seen = 0
  readonly wrong: unknown[] = []
  private isStopped = false
  private newest = 0
  private readonly running: Promise<void>

  constructor(private readonly url: string) {
    this.running = this.run()
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
  }

  private async run(): Promise<void> {
    // With hardly a pause: who answers needs something of this computer, too.
    for (; !this.isStopped; await delay(5)) {
      this.look(await callRpc(this.url, 'eth_blockNumber'), (result) => Number(result))
      this.look(await callRpc(this.url, 'eth_getBlockByNumber', 'latest', false), ({ number }) => Number(number))
    }
  }

  private look(told: TestRpcResponse, numberOf: (result: never) => number): void {
    this.seen++
    if (told.error && isDeepStrictEqual([told.error.code, told.status >= 503], [-32_002, true])) return
    const number = told.result ? numberOf(told.result as never) : Number.NaN
    if (!(number >= this.newest)) this.wrong.push([this.newest, number, told.error])
    this.newest = Math.max(number, this.newest)
  }
}
