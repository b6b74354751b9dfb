import type { ChainReader, ReadBlock, ReadOutput, ReadTouch } from './chain-reader.js'
import type { NodeTransaction } from './node-block.js'
import { consoleCoins } from './node-console.js'

export interface UnspentCoin {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
  readonly script: string
  readonly height: number
  readonly time: number
}

interface OwnerTotals {
  readonly received: bigint
  readonly sent: bigint
  /** Newest first. */
  readonly history: readonly string[]
}

export interface Spender {
  readonly txid: string
  readonly vin: number
  readonly height: number
}

interface Waiting {
  readonly spenders: ReadonlyMap<string, unknown>
  readonly transactions: ReadonlyMap<string, unknown>
}

/** What is true at one tip. */
export class ExpectedChainState {
  readonly path: readonly ReadBlock[]
  private everybody?: ReadonlyMap<string, OwnerTotals>
  private spends?: ReadonlyMap<string, Spender>
  private heights?: ReadonlyMap<string, ReadBlock>
  private order?: ReadonlyMap<string, number>

  constructor(
    readonly reader: ChainReader,
    hashes: readonly string[],
  ) {
    this.path = hashes.map((hash) => reader.blocks.get(hash) as ReadBlock)
  }

  get tip(): ReadBlock {
    return this.path[this.path.length - 1] as ReadBlock
  }

  /** What was true when a lower block of this chain was the last. */
  upTo(height: number): ExpectedChainState {
    return new ExpectedChainState(
      this.reader,
      this.path.slice(0, height + 1).map(({ hash }) => hash),
    )
  }

  figuresOf(address: string): OwnerTotals {
    return figures(this.path.flatMap(({ touches }) => touches.get(address) ?? []))
  }

  /** Of every address that ever was in a block. */
  get addresses(): ReadonlyMap<string, OwnerTotals> {
    this.everybody ??= this.addUp()
    return this.everybody
  }

  /** The inputs of blocks, by the outputs that they spend. */
  get spenders(): ReadonlyMap<string, Spender> {
    this.spends ??= new Map(
      this.path.flatMap(({ tx, height }) =>
        tx.flatMap(({ txid, vin }) => vin.map((input, n): [string, Spender] => [`${input.txid}:${input.vout}`, { txid, vin: n, height }])),
      ),
    )
    return this.spends
  }

  /** The block that has a transaction. */
  get blocksOf(): ReadonlyMap<string, ReadBlock> {
    this.heights ??= new Map(this.path.flatMap((block) => block.tx.map(({ txid }): [string, ReadBlock] => [txid, block])))
    return this.heights
  }

  /** Of a transaction among all of the chain. */
  get positions(): ReadonlyMap<string, number> {
    this.order ??= new Map(this.path.flatMap(({ tx }) => tx.map(({ txid }) => txid)).map((txid, i): [string, number] => [txid, i]))
    return this.order
  }

  /** Newest first, the outputs of one transaction in its order. */
  unspent(address: string): UnspentCoin[] {
    return this.unspentOf(address, this.addresses.get(address)?.history ?? [])
  }

  /** The same without adding up what everybody has. */
  unspentAt(address: string): UnspentCoin[] {
    return this.unspentOf(address, this.figuresOf(address).history)
  }

  private unspentOf(address: string, history: readonly string[]): UnspentCoin[] {
    return history.flatMap((txid) => {
      const { height, time } = this.blocksOf.get(txid) as ReadBlock
      return this.outputsOf(txid, address)
        .filter(({ vout }) => !this.spenders.has(`${txid}:${vout}`))
        .map((output) => ({ ...output, height, time }))
    })
  }

  /** All that can be spent, as `gettxoutsetinfo` counts it. */
  unspentTotal(): { count: number; value: string } {
    const outputs = this.path.slice(1).flatMap(({ tx }) => tx.flatMap(({ txid, vout }) => vout.map(({ n }) => `${txid}:${n}`)))
    const unspent = outputs.filter((id) => !this.spenders.has(id)).map((id) => this.reader.outputs.get(id) as ReadOutput)
    const kept = unspent.filter(({ script }) => !isUnspendable(script))
    return { count: kept.length, value: consoleCoins(kept.reduce((sum, { value }) => sum + value, 0n)) }
  }

  /** An output as `gettxout` has it; undefined for one that is spent, waits to be, or never was. */
  unspentOutput(id: string, { spenders, transactions }: Waiting): string | undefined {
    const txid = id.slice(0, 64)
    const block = this.blocksOf.get(txid)
    const output = this.reader.outputs.get(id)
    const isThere = block ? block.height > 0 : transactions.has(txid)
    if (!output || !isThere || isUnspendable(output.script) || this.spenders.has(id) || spenders.has(id)) return undefined
    return `${consoleCoins(output.value)} ${block ? this.tip.height - block.height + 1 : 0}`
  }

  /** The outputs of a transaction that are this address's. */
  outputsOf(txid: string, address: string): Omit<UnspentCoin, 'height' | 'time'>[] {
    const { vout } = this.reader.transactions.get(txid) as NodeTransaction
    return vout.flatMap(({ n }) => {
      const output = this.reader.outputs.get(`${txid}:${n}`)
      return output?.address === address ? [{ txid, vout: n, value: output.value, script: output.script }] : []
    })
  }

  private addUp(): Map<string, OwnerTotals> {
    const touches = new Map<string, ReadTouch[]>()
    for (const block of this.path) {
      for (const [address, some] of block.touches) {
        const all = touches.get(address)
        if (all) all.push(...some)
        else touches.set(address, [...some])
      }
    }
    return new Map([...touches].map(([address, all]) => [address, figures(all)]))
  }
}

/** Nodes forget an output at once that begins with OP_RETURN, or is longer than a script may be. */
function isUnspendable(script: string): boolean {
  return script.startsWith('6a') || script.length > 20_000
}

function figures(touches: readonly ReadTouch[]): OwnerTotals {
  const total = (key: 'received' | 'sent') => touches.reduce((sum, touch) => sum + touch[key], 0n)
  return { received: total('received'), sent: total('sent'), history: touches.map(({ txid }) => txid).reverse() }
}
