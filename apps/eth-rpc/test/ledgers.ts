import { ancestorAt } from './simulation/sim-chain.js'

/** A log as callers get it. */
export interface LedgerLog {
  readonly blockHash: string
  readonly blockNumber: string
  readonly logIndex: string
  readonly removed: boolean
}

/** A block that there was. */
export interface LedgerBlock {
  readonly number: number
  readonly hash: string
  readonly parent?: LedgerBlock
  readonly logs: readonly LedgerLog[]
}

type Find = (hash: string) => LedgerBlock | undefined

/** What one caller was notified of: blocks. Each follows on the one before it, or on an earlier one, which disconnects those after that. */
export class BlockLedger {
  private standing: LedgerBlock[] = []

  constructor(private readonly find: Find) {}

  get newest(): LedgerBlock | undefined {
    return this.standing.at(-1)
  }

  /** What is wrong with the next one. */
  add(hash: string): string | undefined {
    const block = this.find(hash)
    if (!block) return `a block that nobody made: ${hash}`
    const [first] = this.standing
    if (this.standing.some((each) => each.hash === hash)) return `block ${block.number} twice`
    const parent = block.parent ? this.standing.indexOf(block.parent) : -1
    if (first && parent < 0 && block.number > first.number) return `block ${block.number} after ${this.newest?.number}, without its parent`
    this.standing = [...this.standing.slice(0, parent + 1), block]
    return undefined
  }

  /** What is wrong at the end. */
  missing(head: LedgerBlock): string | undefined {
    if (this.newest && this.newest !== head) return `ends with block ${this.newest.number} instead of ${head.number}`
    return undefined
  }
}

/** What one caller was notified of: logs. Each once, in the order of a chain; what a reorganization takes back is that which came last. */
export class LogLedger {
  private standing: LedgerLog[] = []

  constructor(
    private readonly find: Find,
    /** The head when it had begun: later blocks must be there, earlier ones may. */
    private readonly begin: { readonly after: number },
  ) {}

  /** What is wrong with the next one. */
  add(log: LedgerLog): string | undefined {
    const last = this.standing.at(-1)
    const name = `log ${log.logIndex} of block ${Number(log.blockNumber)}`
    if (log.removed) {
      if (Number(log.blockNumber) <= this.begin.after && !this.standing.some((each) => isSame(each, log))) return undefined
      if (log.blockHash !== last?.blockHash) return `${name} removed, where the last is of ${Number(last?.blockNumber)}`
      this.standing = this.standing.filter((each) => !isSame(each, log))
      return undefined
    }
    const block = this.find(log.blockHash)
    if (!block?.logs.some((each) => isSame(each, log))) return `${name} that nobody made`
    if (this.standing.some((each) => isSame(each, log))) return `${name} twice`
    if (last && ancestorAt(block, Number(last.blockNumber))?.hash !== last.blockHash)
      return `${name} on another branch than block ${Number(last.blockNumber)} before it`
    this.standing.push(log)
    return undefined
  }

  /** What is wrong at the end. */
  missing(head: LedgerBlock): string | undefined {
    const due: LedgerLog[] = []
    for (let block: LedgerBlock | undefined = head; block && block.number > this.begin.after; block = block.parent)
      due.unshift(...block.logs)
    const missing = due.filter((log) => !this.standing.some((each) => isSame(each, log)))
    const isOfChain = (log: LedgerLog) => ancestorAt(head, Number(log.blockNumber))?.hash === log.blockHash
    const extra = this.standing.filter((log) => !isOfChain(log))
    if (missing.length + extra.length === 0) return undefined
    return `lacks logs of blocks ${missing.map(numberOf)} of ${due.length} from ${this.begin.after + 1} on, and has those of ${extra.map(numberOf)} too many`
  }
}

function isSame(one: LedgerLog, other: LedgerLog): boolean {
  return one.blockHash === other.blockHash && one.logIndex === other.logIndex
}

function numberOf({ blockNumber }: LedgerLog): number {
  return Number(blockNumber)
}
