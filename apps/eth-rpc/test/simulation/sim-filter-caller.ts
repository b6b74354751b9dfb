import { BlockLedger, LogLedger } from '../ledgers.js'
import { TOKEN } from './sim-chain.js'
import { pick } from './sim-random.js'
import type { SimReplica } from './sim-replica.js'
import { callAt, type SimRun } from './sim-run.js'

interface Filter {
  readonly id: string
  readonly ledger: BlockLedger | LogLedger
  /** How many ask for its changes now. */
  polling: number
}

/** Polls one filter after another, at any replica. */
export class SimFilterCaller {
  private filter?: Filter
  private isMaking = false

  constructor(
    private readonly run: SimRun,
    private readonly random: () => number,
    private readonly kind: 'blocks' | 'logs',
  ) {}

  async poll(replica = pick(this.run.replicas, this.random)): Promise<void> {
    if (!replica.isServing) return
    if (this.filter) await this.changes(replica, this.filter)
    else if (!this.isMaking) await this.make(replica)
  }

  /** What is wrong at the end. */
  async finish(pass: (ms: number) => Promise<void>): Promise<void> {
    for (let turn = 0; turn < 20 && (turn === 0 || this.missing()); turn++) {
      const polling = this.poll(this.run.replicas[turn % 2])
      await pass(1_000)
      await polling
    }
    const fault = this.missing()
    if (fault) this.violate(fault)
  }

  private missing(): string | undefined {
    return this.filter ? this.filter.ledger.missing(this.run.network.head) : 'could not be made'
  }

  private async make(replica: SimReplica): Promise<void> {
    this.isMaking = true
    const before = replica.head
    const options = this.kind === 'logs' ? [{ address: TOKEN }] : []
    const id: string | undefined = await callAt(
      this.run,
      replica,
      this.kind === 'logs' ? 'eth_newFilter' : 'eth_newBlockFilter',
      ...options,
    )
    this.isMaking = false
    if (id === undefined) return
    const find = (hash: string) => this.run.network.block(hash)
    const ledger = this.kind === 'logs' ? new LogLedger(find, { after: Math.max(before, replica.head) }) : new BlockLedger(find)
    this.filter = { id, ledger, polling: 0 }
  }

  private async changes(replica: SimReplica, filter: Filter): Promise<void> {
    const { gateway } = replica
    filter.polling++
    const found = await callAt(this.run, replica, 'eth_getFilterChanges', filter.id)
    filter.polling--
    // Nobody knows what a replica that was killed had delivered.
    if (gateway !== replica.gateway) this.filter = undefined
    if (this.filter !== filter || !found) return
    for (const each of found) {
      if (this.kind === 'logs') this.run.counts.logs++
      else this.run.counts.heads++
      const fault = filter.ledger.add(each)
      if (fault) this.violate(fault)
    }
    // Another one now and then; nobody asks for this one any more.
    if (filter.polling === 0 && this.random() < 0.02) this.filter = undefined
  }

  private violate(text: string): void {
    this.run.violate(`a filter of ${this.kind}: ${text}`)
  }
}
