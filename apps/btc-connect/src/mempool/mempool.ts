import type { Transaction } from '@trestle/bitcoin/transaction'

/** Limits, so that no node can fill our disk: several times what a node keeps by default. */
interface MempoolBounds {
  readonly transactions: number
  readonly bytes: number
}

const BOUNDS: MempoolBounds = { transactions: 300_000, bytes: 600 * 1024 * 1024 }

/** The ids in hex of the stored transactions, and of those that must not be fetched again. */
export class MempoolContents {
  private bytes = 0
  private readonly ignored = new Set<string>()

  constructor(
    /** With their lengths in bytes. */
    private readonly stored: Map<string, number>,
    private readonly bounds: MempoolBounds = BOUNDS,
  ) {
    for (const length of stored.values()) this.bytes += length
  }

  /** What has to be deleted, and what has to be fetched as far as there is room, to match the node's list. */
  differenceTo(listed: readonly string[]): { gone: string[]; missing: string[] } {
    const present = new Set(listed)
    const gone = [...this.stored.keys()].filter((txid) => !present.has(txid))
    for (const txid of this.ignored) if (!present.has(txid)) this.ignored.delete(txid)
    const room = this.bytes < this.bounds.bytes ? Math.max(0, this.bounds.transactions - this.stored.size + gone.length) : 0
    return { gone, missing: listed.filter((txid) => !this.stored.has(txid) && !this.ignored.has(txid)).slice(0, room) }
  }

  /** As many of these as fit into the limits, from the first on. */
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
      this.stored.set(txid.toString('hex'), raw.length)
      this.bytes += raw.length
    }
  }

  remove(txids: readonly string[]): void {
    for (const txid of txids) {
      this.bytes -= this.stored.get(txid) ?? 0
      this.stored.delete(txid)
    }
  }

  ignore(txid: string): void {
    this.ignored.add(txid)
  }

  get size(): number {
    return this.stored.size
  }
}
