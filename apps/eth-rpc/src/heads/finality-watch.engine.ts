import type { EvmNodeClient } from './evm-node.client.js'
import type { ChainFinality, FollowedChain } from './followed-chain.js'

interface FinalityOptions {
  readonly chain: FollowedChain
  /** A block so far under the head is final; left out, the primary upstream is asked. */
  readonly depth: number | undefined
  readonly primary: () => { readonly node: Pick<EvmNodeClient, 'numberOf'> } | undefined
  readonly onChange: () => void
}

/** Keeps track of which blocks are safe and which are final. */
export class FinalityWatch {
  private running = Promise.resolve()
  private isRunning = false
  private again = false

  constructor(private readonly options: FinalityOptions) {}

  /** After each change of the chain. */
  refresh(): Promise<void> {
    const { chain, depth } = this.options
    if (depth !== undefined && chain.head) {
      const number = Math.max(0, chain.head.number - depth)
      this.set({ safe: number, finalized: number })
      return this.running
    }
    this.again = true
    if (!this.isRunning) this.running = this.run()
    return this.running
  }

  private async run(): Promise<void> {
    this.isRunning = true
    while (this.again) {
      this.again = false
      await this.ask().catch(() => {
        // The next block asks again.
      })
    }
    this.isRunning = false
  }

  private async ask(): Promise<void> {
    const node = this.options.primary()?.node
    if (!node) return
    const [safe, finalized] = await Promise.all([node.numberOf('safe'), node.numberOf('finalized')])
    const { chain } = this.options
    this.set({ safe: later(chain.safe, safe, chain.head?.number), finalized: later(chain.finalized, finalized, chain.head?.number) })
  }

  private set(finality: ChainFinality): void {
    const { chain, onChange } = this.options
    if (finality.safe === chain.safe && finality.finalized === chain.finalized) return
    chain.finalize(finality)
    onChange()
  }
}

/** A new primary upstream may lag behind the former: these heights only go back with the head itself. */
function later(before: number | undefined, now: number | undefined, head = 0): number | undefined {
  if (before === undefined || now === undefined) return now ?? before
  return Math.min(Math.max(before, now), head)
}
