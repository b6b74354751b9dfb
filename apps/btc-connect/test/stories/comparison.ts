import { type BuiltReplica, forEach } from './built-service.js'
import type { ReadBlock } from './chain-reader.js'
import { difference } from './difference.js'
import { confirmedOutputs, expectedAddress, expectedTransaction, summary, type Truth, waitingOutputs } from './expected.js'
import type { NodeTransaction } from './node-block.js'
import type { SeededRandom } from './random.js'

const MOST_IDS = 1000
const ADDRESSES_AT_ONCE = 25
const PAGE = 10

/** Asks the service for all there is, and holds it against what is true. */
export class Comparison {
  addresses = 0
  outputs = 0
  transactions = 0
  blocks = 0
  /** What was answered otherwise; there must be none. */
  readonly differences: string[] = []

  constructor(
    private readonly service: BuiltReplica,
    private readonly truth: Truth,
  ) {}

  async everything(random: SeededRandom): Promise<this> {
    await this.everyAddress()
    await this.everyTransaction()
    await this.groups(random)
    return this
  }

  /** Every address that the node ever named, also on branches that are left. */
  async everyAddress(): Promise<void> {
    await this.theseAddresses(this.allAddresses())
  }

  async someAddresses(random: SeededRandom, count: number): Promise<void> {
    await this.theseAddresses(random.sample(this.allAddresses(), count))
  }

  private allAddresses(): string[] {
    const { state, waiting } = this.truth
    const ever = [...state.reader.blocks.values()].flatMap(({ touches }) => [...touches.keys()])
    return [...new Set([...ever, ...waiting.addresses])]
  }

  private async theseAddresses(all: readonly string[]): Promise<void> {
    await forEach(all, (address) => this.address(address))
    this.addresses += all.length
    const groups = Array.from({ length: Math.ceil(all.length / ADDRESSES_AT_ONCE) }, (_, i) =>
      all.slice(i * ADDRESSES_AT_ONCE, (i + 1) * ADDRESSES_AT_ONCE),
    )
    await forEach(groups, (group) => this.outputsOf(group))
  }

  /** All blocks, with all of their transactions where there is more than the coinbase; and what waits. */
  async everyTransaction(since = 0): Promise<void> {
    const { state, waiting } = this.truth
    await forEach(state.path.slice(since), (block) => this.block(block))
    await forEach([...waiting.transactions.values()], async (each) => {
      const { body } = await this.service.get(`/tx/${each.txid}`)
      this.equal(`/tx/${each.txid}`, body, expectedTransaction(each, this.truth))
      this.transactions += 1
    })
  }

  /** Pages of long histories, and the histories of several addresses together. */
  async groups(random: SeededRandom): Promise<void> {
    const { state } = this.truth
    const longest = [...state.addresses].sort(([, a], [, b]) => b.history.length - a.history.length).slice(0, 5)
    for (const [address] of longest) await this.pages(address, random)
    for (let i = 0; i < 10; i++) await this.together(random.sample([...state.addresses.keys()], random.between(2, 20)), random)
  }

  async isStale(hash: string): Promise<void> {
    const block = this.truth.state.reader.blocks.get(hash) as ReadBlock
    const { body } = await this.service.get(`/block/${hash}`)
    const txids = block.tx.map(({ txid }) => txid)
    const { height, chainwork, previousblockhash } = block
    const wanted = { hash, height, confirmations: -1, isMainChain: false, tx: txids, chainwork, previousblockhash }
    this.equal(`/block/${hash}`, pick(body, wanted), wanted)
  }

  private async address(address: string): Promise<void> {
    const { state, waiting } = this.truth
    const confirmed = state.addresses.get(address)?.history ?? []
    const expected = waiting.of(address).map(({ txid }) => txid)
    const { text, body } = await this.service.get(`/addr/${address}`)
    this.equal(`/addr/${address}`, text.slice(0, text.indexOf(',"transactions"')), expectedAddress(address, this.truth))
    const ids: string[] = body.transactions ?? []
    for (let from = MOST_IDS; from < confirmed.length + expected.length; from += MOST_IDS) {
      ids.push(...((await this.service.get(`/addr/${address}?from=${from}&to=${from + MOST_IDS}`)).body.transactions ?? []))
    }
    const top = ids.slice(0, expected.length)
    this.equal(`waiting of ${address}`, top.toSorted(), expected.toSorted())
    if (!waiting.isNewestFirst(top)) this.differences.push(`waiting of ${address}: ${top} is not newest first`)
    this.equal(`history of ${address}`, ids.slice(expected.length), confirmed)
  }

  private async outputsOf(addresses: readonly string[]): Promise<void> {
    const { body } = await this.service.post('/addrs/utxo', { addrs: addresses.join(',') })
    const [waiting, confirmed] = [waitingOutputs(addresses, this.truth), confirmedOutputs(addresses, this.truth)]
    const found: object[] = Array.isArray(body) ? body : [body]
    const byId = (list: object[]) => list.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    this.equal(`waiting outputs of ${addresses}`, byId(found.slice(0, waiting.length)), byId(waiting))
    this.equal(`outputs of ${addresses}`, found.slice(waiting.length), confirmed)
    this.outputs += found.length
  }

  private async block(block: ReadBlock): Promise<void> {
    const { state } = this.truth
    const { hash, height, size, version, merkleroot, time, nonce, bits, chainwork, tx, previousblockhash = null } = block
    const next = state.path[height + 1]?.hash
    const wanted = {
      ...{ hash, size, height, version, merkleroot, tx: tx.map(({ txid }) => txid), time, nonce, bits, chainwork, previousblockhash },
      ...(next && { nextblockhash: next }),
      ...{ confirmations: state.tip.height - height + 1, isMainChain: true },
    }
    const { body } = await this.service.get(`/block/${hash}`)
    this.equal(`/block/${hash}`, pick(body, wanted), wanted)
    this.equal(`/block-index/${height}`, (await this.service.get(`/block-index/${height}`)).body, { blockHash: hash })
    this.blocks += 1
    const isEmpty = tx.length === 1 && !state.spenders.has(`${tx[0]?.txid}:0`)
    // Of blocks with nothing in them the list above tells enough.
    if (!isEmpty) await this.transactionsOf(block)
  }

  private async transactionsOf({ hash, tx }: ReadBlock): Promise<void> {
    const pagesTotal = Math.ceil(tx.length / PAGE)
    for (let pageNum = 0; pageNum < pagesTotal; pageNum++) {
      const { body } = await this.service.get(`/txs?block=${hash}&pageNum=${pageNum}`)
      const wanted = tx.slice(pageNum * PAGE, (pageNum + 1) * PAGE).map((each) => expectedTransaction(each, this.truth))
      this.equal(`/txs?block=${hash}&pageNum=${pageNum}`, body, { pagesTotal, txs: wanted })
    }
    this.transactions += tx.length
  }

  private async pages(address: string, random: SeededRandom): Promise<void> {
    const { state, waiting } = this.truth
    const history = state.addresses.get(address)?.history ?? []
    const top = waiting.of(address).length
    const pagesTotal = Math.ceil((history.length + top) / PAGE)
    for (const pageNum of [0, pagesTotal - 1, pagesTotal, ...Array.from({ length: 4 }, () => random.between(0, pagesTotal))]) {
      const { body } = await this.service.get(`/txs?address=${address}&pageNum=${pageNum}`)
      const from = Math.max(0, pageNum * PAGE - top)
      const wanted = history.slice(from, Math.max(0, (pageNum + 1) * PAGE - top)).map((txid) => this.whole(txid))
      const found: object[] = body.txs ?? []
      const above = Math.max(0, Math.min(PAGE, top - pageNum * PAGE))
      this.equal(`/txs?address=${address}&pageNum=${pageNum}`, { ...body, txs: found.slice(above) }, { pagesTotal, txs: wanted })
    }
  }

  private async together(addresses: readonly string[], random: SeededRandom): Promise<void> {
    const { state, waiting } = this.truth
    const ids = new Set(addresses.flatMap((address) => state.addresses.get(address)?.history ?? []))
    const history = [...ids].sort((a, b) => (state.positions.get(b) ?? 0) - (state.positions.get(a) ?? 0))
    const top = new Set(addresses.flatMap((address) => waiting.of(address).map(({ txid }) => txid))).size
    const from = random.between(0, Math.max(0, history.length - 5))
    const to = from + random.between(1, 50)
    const { body, total } = await this.service.post('/addrs/txs', { addrs: addresses, from: from + top, to: to + top })
    const wanted = history.slice(from, to).map((txid) => summary(state.reader.transactions.get(txid) as NodeTransaction, this.truth))
    this.equal(`/addrs/txs ${from} to ${to} of ${addresses}`, { total, body }, { total: top + history.length, body: wanted })
  }

  private whole(txid: string): object {
    return expectedTransaction(this.truth.state.reader.transactions.get(txid) as NodeTransaction, this.truth)
  }

  private equal(what: string, found: unknown, wanted: unknown): void {
    const reason = difference(found, wanted)
    if (reason) this.differences.push(`${what}: ${reason}`)
  }
}

function idOf(output: object): string {
  const { txid, vout } = output as { txid: string; vout: number }
  return `${txid}:${vout}`
}

/** Of the first what the second has, too. */
function pick(found: object, wanted: object): object {
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, found?.[name as keyof typeof found]]))
}
