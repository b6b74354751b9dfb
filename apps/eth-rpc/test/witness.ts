import type { FaultyStage } from './faulty-stage.js'

export interface Log {
  readonly blockHash: string
  readonly blockNumber: string
  readonly transactionHash: string
  readonly removed: boolean
}

export interface Head {
  readonly hash: string
  readonly number: string
  readonly parentHash: string
}

/** Makes a chain with logs, and holds what is told of it against it. */
export class Witness {
  constructor(private readonly stage: FaultyStage) {}

  /** Each has a log of the token. */
  async makeBlocks(blocks: number): Promise<void> {
    for (let i = 0; i < blocks; i++) {
      await this.stage.transfer()
      await this.stage.mine()
    }
  }

  /** At whichever node is furthest. */
  async newest(): Promise<Head> {
    const heads = await Promise.all(this.stage.anvils.nodes.map(({ rpc }) => rpc.call<Head>('eth_getBlockByNumber', 'latest', false)))
    return heads.toSorted((a, b) => Number(b.number) - Number(a.number))[0]!
  }

  /** True, or undefined, once what is told and not taken back is what the chain has. */
  async isWhole(logs: readonly Log[]): Promise<true | undefined> {
    const left = standing(logs)
    return left.map(idOf).join() === (await this.logsFrom(left[0] ?? logs[0])).map(idOf).join() || undefined
  }

  /** Only what was told last is taken back, each log is told once, and what is left is what the chain has. */
  async expectLogs(logs: readonly Log[]): Promise<void> {
    const left: Log[] = []
    for (const log of logs) {
      if (log.removed) expect(idOf(left.pop()!)).toBe(idOf(log))
      else left.push(log)
    }
    expect(new Set(left.map(idOf)).size).toBe(left.length)
    expect(left.map(idOf)).toEqual((await this.logsFrom(left[0] ?? logs[0])).map(idOf))
  }

  private logsFrom(first: Log | undefined): Promise<Log[]> {
    const filter = { address: this.stage.token, fromBlock: first?.blockNumber, toBlock: 'latest' }
    return this.stage.anvils.nodes[0]!.rpc.call('eth_getLogs', filter)
  }
}

/** What is told and not taken back. */
function standing(logs: readonly Log[]): Log[] {
  const counts = new Map<string, number>()
  for (const log of logs) counts.set(idOf(log), (counts.get(idOf(log)) ?? 0) + (log.removed ? -1 : 1))
  return logs.filter((log) => !log.removed && counts.get(idOf(log)) === 1)
}

function idOf({ blockHash, transactionHash }: Log): string {
  return blockHash + transactionHash
}
