import type { Random } from './random.ts'
import type { ScriptKind } from './script-kinds.ts'

export interface GeneratedCoin {
  /** In wire order. */
  readonly txid: Buffer
  readonly vout: number
  readonly sats: number
  readonly kind: ScriptKind
}

// About three blocks of coins: many are spent within the hour.
const RECENT = 30_000

/** The unspent outputs: the newest at the end, older ones more and more shuffled. */
export class Coins {
  private readonly coins: GeneratedCoin[] = []

  get size(): number {
    return this.coins.length
  }

  add(coin: GeneratedCoin): void {
    this.coins.push(coin)
  }

  /** Every other one is a recent one. */
  take(random: Random): GeneratedCoin {
    const youngest = this.coins.length - 1
    const oldest = random.unit() < 0.5 ? 0 : Math.max(0, youngest - RECENT)
    const chosen = random.between(oldest, youngest)
    const coin = this.coins[chosen]
    const last = this.coins.pop()
    if (!coin || !last) throw new Error('no coin is left to spend')
    if (chosen < youngest) this.coins[chosen] = last
    return coin
  }
}
