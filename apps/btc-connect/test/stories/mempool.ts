import { type RawPayment, type SpendableCoin, sumOfCoins } from './raw-payment.js'

interface WaitingTransaction {
  readonly txid: string
  readonly payment: RawPayment
}

/** A node takes no transaction with 25 ancestors or more, and none that gives another 25 descendants. */
const MOST_RELATED = 20

/** What we sent and no block has yet: who spends from whom. */
export class NaiveMempool {
  private readonly waiting = new Map<string, WaitingTransaction>()
  private families = new Map<string, Family>()
  private readonly joined = new Map<RawPayment, Family>()

  hasRoomFor(coins: readonly SpendableCoin[]): boolean {
    return this.sizeWith(this.familiesOf(coins)) <= MOST_RELATED
  }

  /** A payment and all that its coins are related to are one family from now on. */
  join(payment: RawPayment): void {
    const families = this.familiesOf(payment.coins)
    const one: Family = { size: this.sizeWith(families) }
    for (const family of families) family.partOf = one
    this.joined.set(payment, one)
  }

  add(txid: string, payment: RawPayment): void {
    if (!this.joined.has(payment)) this.join(payment)
    this.families.set(txid, this.joined.get(payment) as Family)
    this.waiting.set(txid, { txid, payment })
  }

  replaceable(): WaitingTransaction[] {
    return [...this.waiting.values()]
  }

  /** What goes with it when it is replaced, itself first, and the fees of all of them. */
  descendants(root: WaitingTransaction): { evicted: WaitingTransaction[]; fees: bigint } {
    const evicted = [root]
    for (const one of evicted) {
      const children = [...this.waiting.values()].filter(({ payment }) => payment.coins.some(({ txid }) => txid === one.txid))
      evicted.push(...children.filter((child) => !evicted.includes(child)))
    }
    return { evicted, fees: evicted.reduce((total, { payment }) => total + feeOf(payment), 0n) }
  }

  remove(evicted: readonly WaitingTransaction[]): void {
    for (const { txid } of evicted) {
      this.waiting.delete(txid)
      this.families.delete(txid)
    }
  }

  clear(): void {
    this.waiting.clear()
    this.families.clear()
    this.joined.clear()
  }

  private familiesOf(coins: readonly SpendableCoin[]): Family[] {
    const found = coins.flatMap(({ txid }) => this.families.get(txid) ?? []).map(rootOf)
    return [...new Set(found)]
  }

  private sizeWith(families: readonly Family[]): number {
    return families.reduce((total, { size }) => total + size, 1)
  }
}

interface Family {
  readonly size: number
  partOf?: Family
}

function rootOf(family: Family): Family {
  return family.partOf ? rootOf(family.partOf) : family
}

function feeOf({ coins, paid }: RawPayment): bigint {
  return sumOfCoins(coins) - sumOfCoins(paid)
}
