import type { ChainReader, ReadTouch } from './chain-reader.js'
import type { ExpectedChainState, Spender, UnspentCoin } from './chain-state.js'
import type { NodeTransaction } from './node-block.js'

/** What waits at the node, beside what is confirmed. */
export class WaitingState {
  private readonly touches = new Map<string, ReadTouch[]>()
  /** The inputs that wait, by the outputs that they spend. */
  readonly spenders = new Map<string, Omit<Spender, 'height'>>()

  constructor(
    private readonly reader: ChainReader,
    readonly transactions: ReadonlyMap<string, NodeTransaction>,
  ) {
    for (const transaction of transactions.values()) {
      for (const [address, touch] of reader.touchesOf(transaction)) this.touches.set(address, [...this.of(address), touch])
      transaction.vin.forEach(({ txid, vout }, vin) => {
        this.spenders.set(`${txid}:${vout}`, { txid: transaction.txid, vin })
      })
    }
  }

  get addresses(): string[] {
    return [...this.touches.keys()]
  }

  of(address: string): readonly ReadTouch[] {
    return this.touches.get(address) ?? []
  }

  balanceOf(address: string): bigint {
    return this.of(address).reduce((sum, { received, sent }) => sum + received - sent, 0n)
  }

  /** Of an address, those nothing waits to spend: what waits itself, and what is confirmed. */
  unspent(address: string, state: ExpectedChainState): { waiting: Omit<UnspentCoin, 'height' | 'time'>[]; confirmed: UnspentCoin[] } {
    const isFree = ({ txid, vout }: { readonly txid: string; readonly vout: number }) => !this.spenders.has(`${txid}:${vout}`)
    return {
      waiting: this.of(address).flatMap(({ txid }) => state.outputsOf(txid, address).filter(isFree)),
      confirmed: state.unspent(address).filter(isFree),
    }
  }

  /** Whether each of them stands before what it spends from. */
  isNewestFirst(txids: readonly string[]): boolean {
    return txids.every((txid, i) => {
      const parents = this.reader.transactions.get(txid)?.vin.map(({ txid: parent }) => parent) ?? []
      return !txids.slice(0, i).some((earlier) => parents.includes(earlier))
    })
  }
}
