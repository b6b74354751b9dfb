import type { Transaction } from '@trestle/bitcoin/transaction'

/** What is kept at most, so that no node can fill our disk: several times what a node keeps by default. */
export interface MempoolBounds {
  readonly transactions: number
  readonly bytes: number
}

export const BOUNDS: MempoolBounds = { transactions: 300_000, bytes: 600 * 1024 * 1024 }

/** Which transactions are kept, by their ids in hex, and which are not worth asking for again. */
export class MempoolContents {
  private bytes = 0
  private readonly ignored = new Set<string>()

  constructor(
    /** Each with its length in bytes. */
    private readonly kept: Map<string, number>,
    private readonly bounds: MempoolBounds = BOUNDS,
  ) {
    for (const length of kept.values()) this.bytes += length
  }

  /** What has to go, and what has to come as far as there is room, to be what the node lists. */
  differenceTo(listed: readonly string[]): { gone: string[]; fresh: string[] } {
    const present = new Set(listed)
    const gone = [...this.kept.keys()].filter((txid) => !present.has(txid))
    for (const txid of this.ignored) if (!present.has(txid)) this.ignored.delete(txid)
    const room = this.bytes < this.bounds.bytes ? Math.max(0, this.bounds.transactions - this.kept.size + gone.length) : 0
    return { gone, fresh: listed.filter((txid) => !this.kept.has(txid) && !this.ignored.has(txid)).slice(0, room) }
  }

  /** As many of these as fit, from the first on. */
  fitting(transactions: readonly Transaction[]): readonly Transaction[] {
    let left = this.bounds.bytes - this.bytes
    const first = transactions.findIndex(({ raw }) => {
      left -= raw.length
      return left < 0
    })
    return first === -1 ? transactions : transactions.slice(0, first)
  }

  add(transactions: readonly Transaction[]): void {
    for (const { txid, raw } of transactions) {
      this.kept.set(txid.toString('hex'), raw.length)
      this.bytes += raw.length
    }
  }

  remove(txids: readonly string[]): void {
    for (const txid of txids) {
      this.bytes -= this.kept.get(txid) ?? 0
      this.kept.delete(txid)
    }
  }

  ignore(txid: string): void {
    this.ignored.add(txid)
  }

  get size(): number {
    return this.kept.size
  }
}
