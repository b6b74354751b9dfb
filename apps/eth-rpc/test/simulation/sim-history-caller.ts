import { ancestorAt, quantity, type SimBlock, TOKEN } from './sim-chain.js'
import { stateOf } from './sim-node.js'
import type { SimReplica } from './sim-replica.js'
import { callAt, type SimRun } from './sim-run.js'

const ACCOUNT = `0x${'77'.repeat(20)}`
/** Fewer may still be replaced. */
const DEEP = 12

/** Asks any replica about blocks that are final, and expects what the chain says. */
export class SimHistoryCaller {
  /** Right answers. */
  right = 0

  constructor(
    private readonly run: SimRun,
    private readonly replicas: readonly SimReplica[],
    private readonly random: () => number,
  ) {}

  async ask(): Promise<void> {
    const { head } = this.run.network
    const block = ancestorAt(head, Math.floor(this.random() * Math.max(1, head.number - DEEP)))
    const replica = this.replicas[Math.floor(this.random() * this.replicas.length)]
    if (block && replica?.isServing) await this.askAbout(block, replica)
  }

  async askAbout(block: SimBlock, replica: SimReplica): Promise<void> {
    const number = quantity(block.number)
    const call = (method: string, ...params: unknown[]) => callAt(this.run, replica, method, ...params)
    const [shown, byHash, balance, logs, receipt] = await Promise.all([
      call('eth_getBlockByNumber', number, false),
      call('eth_getBlockByHash', block.hash, false),
      call('eth_getBalance', ACCOUNT, number),
      call('eth_getLogs', { address: TOKEN, fromBlock: number, toBlock: number }),
      block.transactions[0] && call('eth_getTransactionReceipt', block.transactions[0]),
    ])
    this.expect(block, 'block', shown?.hash, block.hash)
    this.expect(block, 'block by its hash', byHash?.hash, block.hash)
    this.expect(block, 'balance', balance, stateOf(block, ACCOUNT))
    const hashes = logs?.map(({ transactionHash }: { transactionHash: string }) => transactionHash).join()
    this.expect(block, 'logs', hashes, block.logs.map(({ transactionHash }) => transactionHash).join())
    this.expect(block, 'receipt', receipt?.blockHash, block.hash)
  }

  private expect({ number }: SimBlock, what: string, given: string | undefined, expected: string): void {
    if (given === undefined) return
    if (given === expected) this.right++
    else this.run.violate(`another ${what} of the final block ${number}`)
  }
}
