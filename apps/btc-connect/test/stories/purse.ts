import { isSpendable } from './locks.js'
import type { NodeConsole } from './node-console.js'
import { outpointOf, type SpendableCoin } from './raw-payment.js'

export const MATURITY = 100

/** The coins of everybody. */
export class Purse {
  /** Whatever became of them. */
  private readonly known = new Map<string, SpendableCoin>()
  private spendable = new Map<string, SpendableCoin>()

  get coins(): SpendableCoin[] {
    return [...this.spendable.values()]
  }

  /** Those of at least this value that nobody signs for. */
  open(value: bigint): SpendableCoin[] {
    return this.coins.filter((coin) => coin.lock.opening && coin.value >= value)
  }

  add(coin: SpendableCoin): void {
    this.known.set(outpointOf(coin), coin)
    if (isSpendable(coin.lock)) this.spendable.set(outpointOf(coin), coin)
  }

  take(coins: readonly SpendableCoin[]): void {
    for (const coin of coins) this.spendable.delete(outpointOf(coin))
  }

  putBack(coins: readonly SpendableCoin[]): void {
    for (const coin of coins) this.spendable.set(outpointOf(coin), coin)
  }

  /** Asks the node which of the coins are there: after a block was taken back, they may be others. */
  async refresh(node: NodeConsole, { withMempool = true } = {}): Promise<void> {
    const all = [...this.known.entries()]
    type Found = { confirmations: number; coinbase: boolean } | null
    const found = await node.batch<Found>(all.map(([, { txid, vout }]) => ['gettxout', txid, vout, withMempool]))
    const isRipe = (coin: Found) => coin && coin.confirmations > (coin.coinbase ? MATURITY : 0)
    this.spendable = new Map(all.filter(([, { lock }], i) => isRipe(found[i] ?? null) && isSpendable(lock)))
  }
}
