import type { Random } from './random.ts'
import type { ScriptKind } from './script-kinds.ts'

export interface Coin {
  /** In wire order. */
  readonly txid: Buffer
  readonly vout: number
  readonly sats: number
  readonly kind: ScriptKind
}

// About what three blocks make: many coins are spent within the hour.
const RECENT = 30_000

/** The unspent outputs. The newest stand at the end, the older they are the more they are mixed. */
export class Coins {
  private readonly coins: Coin[] = []

  get size(): number {
    return this.coins.length
  }

  add(coin: Coin): void {
    this.coins.push(coin)
  }

  /** Every other one is a recent one. */
  take(random: Random): Coin {
    const youngest = this.coins.length - 1
    const oldest = random.unit() < 0.5 ? 0 : Math.max(0, youngest - RECENT)
    const chosen = random.between(oldest, youngest)
    const coin = this.coins[chosen]
    const last = this.coins.pop()
    if (!coin || !last) throw new Error('there is nothing to spend')
    if (chosen < youngest) this.coins[chosen] = last
    return coin
  }
}
