import { stub } from '../../test/stub.js'
import type { ExecutionClient } from '../chains/execution.client.js'
import type { LoggedDeposit } from '../chains/execution-responses.js'
import { DepositLogs } from './deposit-logs.engine.js'

describe(DepositLogs, () => {
  it('reads a day of blocks in batches, then only the new ones and the last ones again', async () => {
    const node = new FakeExecution(20_000)
    const watch = new DepositLogs()
    await watch.read('dev', node.client)
    expect(node.asked[0]).toEqual([11_744, 12_767])
    expect(node.asked.at(-1)![1]).toBe(20_000)
    expect(node.asked.every(([from, to]) => to - from < 1_024)).toBe(true)
    node.asked = []
    node.latest = 20_010
    await watch.read('dev', node.client)
    expect(node.asked).toEqual([[19_937, 20_010]])
  })

  it('drops a deposit whose block was replaced, and keeps those before it', async () => {
    const node = new FakeExecution(100)
    node.deposits = [5, 90]
    const watch = new DepositLogs()
    expect(await blocksOf(watch, node)).toEqual([5, 90])
    node.deposits = [5, 95]
    expect(await blocksOf(watch, node)).toEqual([5, 95])
  })

  it('starts again with a chain that was restarted', async () => {
    const node = new FakeExecution(10_000)
    node.deposits = [9_000]
    const watch = new DepositLogs()
    await watch.read('dev', node.client)
    node.latest = 3
    node.deposits = [2]
    expect(await blocksOf(watch, node)).toEqual([2])
  })

  it('retries what it could not read', async () => {
    const node = new FakeExecution(100)
    node.deposits = [50]
    const watch = new DepositLogs()
    node.isAway = true
    await expect(watch.read('dev', node.client)).rejects.toThrow('away')
    node.isAway = false
    expect(await blocksOf(watch, node)).toEqual([50])
  })
})

async function blocksOf(watch: DepositLogs, node: FakeExecution) {
  return (await watch.read('dev', node.client)).map(({ blockNumber }) => blockNumber)
}

class FakeExecution {
  asked: [number, number][] = []
  deposits: number[] = []
  isAway = false
  readonly client = stub<ExecutionClient>({
    latestBlock: async () => this.latest,
    depositLogs: async (from: number, to: number) => {
      if (this.isAway) throw new Error('away')
      this.asked.push([from, to])
      return this.deposits.filter((block) => block >= from && block <= to).map((blockNumber) => stub<LoggedDeposit>({ blockNumber }))
    },
  })

  constructor(public latest: number) {}
}
