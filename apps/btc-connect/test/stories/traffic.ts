import type { Call } from '@trestle/devnet/chains/node-rpc'
import { isSpendable, Keyring, type Lock } from './locks.js'
import { Mempool } from './mempool.js'
import { type NodeConsole, satoshis } from './node-console.js'
import type { Random } from './random.js'
import { type Coin, feeOf, isOpen, outpointOf, type Paid, type Payment, serialized, signing, sum } from './raw-payment.js'
import type { Wallet } from './wallet.js'

const COINBASES = 40
const MATURITY = 100
const LAYER = 80

export interface TrafficOptions {
  readonly wallet?: Wallet
  /** Of `sendrawtransaction`: Bitcoin's asks before it burns coins, and is to be told that we mean it. */
  readonly limits?: readonly number[]
  /** Litecoin's `generateblock` cannot make a block with an MWEB part. */
  readonly mweb?: boolean
}

/** People who pay each other with every kind of script, over one node of their own. The same seed makes the same people. */
export class Traffic {
  /** Of all kinds, whatever became of them. */
  private readonly known = new Map<string, Coin>()
  private spendable = new Map<string, Coin>()
  private readonly mempool = new Mempool()
  private readonly ring: Keyring
  private refused: Payment[] = []
  /** What the node did not take, by its reason. */
  readonly refusals = new Map<string, number>()
  sent = 0
  replaced = 0

  constructor(
    readonly node: NodeConsole,
    readonly random: Random,
    private readonly options: TrafficOptions,
  ) {
    this.ring = new Keyring(random)
  }

  /** Mines the first blocks to outputs of every kind, and waits until they may be spent. */
  async begin(): Promise<void> {
    const locks = Array.from({ length: COINBASES }, () => this.ring.spendable())
    const hashes = await this.generate(locks)
    if (this.options.wallet) await this.node.call('generatetoaddress', 5, await this.options.wallet.address())
    await this.generate(Array.from({ length: MATURITY }, () => this.ring.lock()))
    const blocks = await this.node.batch<{ tx: { txid: string; vout: { value: string }[] }[] }>(hashes.map((hash) => ['getblock', hash, 2]))
    blocks.forEach(({ tx: [coinbase] }, i) => {
      if (coinbase) this.add({ txid: coinbase.txid, vout: 0, value: satoshis(coinbase.vout[0]?.value ?? ''), lock: locks[i] as Lock })
    })
  }

  /** So many payments, each sent to the node; blocks come in between only when there is nothing left to pay with. */
  async pay(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      let layer = this.layer(Math.min(left, LAYER))
      if (layer.length === 0) {
        await this.close()
        layer = this.layer(Math.min(left, LAYER))
      }
      if (layer.length === 0) throw new Error('nobody has anything left')
      await this.send(layer)
      left -= layer.length
    }
  }

  /** A block with all that waits, and one with what the node does not let wait. */
  async close(): Promise<void> {
    await this.mine()
    await this.mineRefused()
  }

  async mine(count = 1): Promise<string[]> {
    const hashes = await this.generate(Array.from({ length: count }, () => this.ring.lock()))
    this.mempool.clear()
    return hashes
  }

  /** A block of what the node did not take into its mempool: policy is no rule of the chain. */
  async mineRefused(): Promise<void> {
    const payments = this.refused.splice(0)
    if (payments.length === 0) return
    const hash = await this.mineExactly(payments)
    if (!hash) return this.spendableAgain(payments.flatMap(({ coins }) => coins))
    const { tx } = await this.node.call<{ tx: string[] }>('getblock', hash)
    this.keep(payments.map((payment, i) => [tx[i + 1] ?? '', payment]))
    this.mempool.clear()
  }

  /** Payments, replacements, what the wallet does, and a block. */
  async round(payments: number): Promise<void> {
    await this.pay(payments)
    for (let i = 0; i < payments / 40; i++) await this.replace()
    await this.options.wallet?.act(this.random)
    await this.payWallet()
    await this.close()
  }

  /** A payment that waits is replaced by one that pays other people and a better fee (BIP 125). */
  async replace(): Promise<boolean> {
    const [target] = this.random.sample(this.mempool.replaceable(), 1)
    if (!target) return false
    const { fees, evicted } = this.mempool.descendants(target)
    const total = sum(target.payment.coins)
    const fee = fees + feeOf(target.payment.coins.length, 3) + 20_000n
    if (total <= fee + 10_000n) return false
    const payment: Payment = { coins: target.payment.coins, paid: this.share(total - fee, 2) }
    const accepted = await this.submit([payment])
    if (accepted.length === 0) return false
    const [, ...children] = evicted
    this.giveUp(
      evicted.map(({ txid }) => txid),
      children.flatMap(({ payment }) => payment.coins),
    )
    this.mempool.remove(evicted)
    this.keep(accepted)
    this.replaced += 1
    return true
  }

  /**
   * Some blocks are taken back; double spends and other blocks take their place, with what else they had. Returns what is stale now:
   * the new ones, when the first were longer after all.
   */
  async reorganize(depth: number, { longer = 1, comesBack = false } = {}): Promise<string[]> {
    const height = await this.node.call<number>('getblockcount')
    const left = await this.node.batch<string>(Array.from({ length: depth }, (_, i): Call => ['getblockhash', height - depth + 1 + i]))
    await this.node.call('invalidateblock', left[0])
    const others = await this.doubleSpend()
    await this.sendAgain(left)
    const rest = comesBack ? depth - 1 - others.length : depth + longer - others.length
    others.push(...(await this.mine(Math.max(0, rest))))
    await this.node.call('reconsiderblock', left[0])
    await this.refresh()
    return comesBack ? others : left
  }

  /** A block without what waits, but with payments that spend the same coins. */
  async doubleSpend(): Promise<string[]> {
    await this.refresh({ withMempool: false })
    const open = [...this.spendable.values()].filter(({ lock, value }) => lock.opening && value > 1_000_000n)
    // Small ones: what was paid out of a large one would be gone, and what was paid out of that.
    const smallest = open.sort((a, b) => Number(a.value - b.value)).slice(0, 3)
    const payments = smallest.map((coin) => ({ coins: [coin], paid: this.share(coin.value - feeOf(1, 3), 2) }))
    const hash = payments.length > 0 && (await this.mineExactly(payments))
    return hash ? [hash] : []
  }

  /** A block with these, and nothing that waits. */
  private async mineExactly(payments: readonly Payment[]): Promise<string | undefined> {
    if (this.options.mweb) return undefined
    const miner = this.ring.spendable().script.toString('hex')
    const { hash } = await this.node.call<{ hash: string }>('generateblock', `raw(${miner})`, await this.signed(payments))
    return hash
  }

  /** Asks the node which of our coins are there: after a block was taken back, they may be others. */
  async refresh({ withMempool = true } = {}): Promise<void> {
    this.mempool.clear()
    this.refused.length = 0
    const all = [...this.known.entries()]
    type Found = { confirmations: number; coinbase: boolean } | null
    const found = await this.node.batch<Found>(all.map(([, { txid, vout }]) => ['gettxout', txid, vout, withMempool]))
    const isRipe = (coin: Found) => coin && coin.confirmations > (coin.coinbase ? MATURITY : 0)
    this.spendable = new Map(all.filter(([, { lock }], i) => isRipe(found[i] ?? null) && isSpendable(lock)))
  }

  /** What blocks had that are left: a node itself remembers that of a few blocks only. */
  private async sendAgain(blocks: readonly string[]): Promise<void> {
    const read = await this.node.batch<{ tx: { hex: string }[] }>(blocks.map((hash) => ['getblock', hash, 2]))
    const raw = read.flatMap(({ tx: [, ...payments] }) => payments.map(({ hex }) => hex))
    await this.node.settle(raw.map((hex) => ['sendrawtransaction', hex, ...(this.options.limits ?? [])]))
  }

  /** The wallet has something to spend, of unlike amounts. */
  private async payWallet(): Promise<void> {
    if (!this.options.wallet) return
    const [coin] = this.random.sample(
      [...this.spendable.values()].filter(({ value }) => value > 100_000_000n),
      1,
    )
    if (!coin) return
    this.spendable.delete(outpointOf(coin))
    const lock = await this.options.wallet.lock()
    const rest = coin.value - 50_000_000n - feeOf(1, 3)
    this.keep(await this.submit([{ coins: [coin], paid: [{ value: 50_000_000n, lock }, ...this.share(rest, 1)] }]))
  }

  private layer(count: number): Payment[] {
    const payments: Payment[] = []
    // What is paid in one layer is spent in the next at the earliest.
    const candidates = this.random.sample([...this.spendable.values()], count * 4)
    while (payments.length < count && candidates.length > 0) {
      const payment = this.payment(candidates)
      if (payment) payments.push(payment)
    }
    return payments
  }

  private payment(candidates: Coin[]): Payment | undefined {
    const first = candidates.pop()
    if (!first) return undefined
    const wanted = this.random.chance(0.03) ? this.random.between(5, 30) : this.random.pick([1, 1, 1, 1, 2, 3])
    const coins = [first]
    while (coins.length < wanted && candidates.length > 0) {
      // A node signs all inputs or none.
      const at = candidates.findLastIndex(({ lock }) => Boolean(lock.opening) === Boolean(first.lock.opening))
      if (at < 0) break
      coins.push(...candidates.splice(at, 1))
    }
    if (!this.mempool.hasRoomFor(coins)) return undefined
    const outputs = this.random.chance(0.04) ? this.random.between(8, 40) : this.random.pick([1, 1, 2, 2, 2, 3, 4])
    const rest = sum(coins) - feeOf(coins.length, outputs)
    if (rest < 1_000n) return undefined
    for (const coin of coins) this.spendable.delete(outpointOf(coin))
    const payment = { coins, paid: this.share(rest, outputs), version: this.random.pick([1, 2, 2]) }
    // Their outputs are not known before they are signed, but their room is taken now.
    this.mempool.join(payment)
    return payment
  }

  /** An amount in parts: large, small, none at all, back to whom it came from. */
  private share(total: bigint, count: number): Paid[] {
    const paid: Paid[] = []
    let rest = total
    for (let i = 1; i < count; i++) {
      const lock = this.ring.lock()
      const wanted = this.random.pick([0n, 1n, 546n, rest / 3n, rest / 2n, rest / 10n, rest / BigInt(count)])
      const share = isSpendable(lock) ? wanted : wanted / 1000n
      const value = share < rest ? share : rest
      paid.push({ value, lock })
      rest -= value
    }
    paid.push({ value: rest, lock: this.ring.spendable() })
    return this.random.sample(paid, paid.length)
  }

  private async send(payments: readonly Payment[]): Promise<void> {
    const accepted = await this.submit(payments)
    this.keep(accepted)
    const taken = new Set(accepted.map(([, payment]) => payment))
    this.refused.push(...payments.filter((payment) => !taken.has(payment)))
  }

  private async submit(payments: readonly Payment[]): Promise<[string, Payment][]> {
    const hex = await this.signed(payments)
    const outcomes = await this.node.settle<string>(hex.map((each): Call => ['sendrawtransaction', each, ...(this.options.limits ?? [])]))
    return outcomes.flatMap(({ result, error }, i): [string, Payment][] => {
      if (result) return [[result, payments[i] as Payment]]
      this.note(error?.message ?? '')
      return []
    })
  }

  private async signed(payments: readonly Payment[]): Promise<string[]> {
    const closed = payments.filter((payment) => !isOpen(payment))
    const answers = await this.node.batch<{ hex: string; complete: boolean; errors: unknown }>(closed.map(signing))
    const unsigned = answers.find(({ complete }) => !complete)
    if (unsigned) throw new Error(`the node did not sign: ${JSON.stringify(unsigned.errors)}`)
    return payments.map((payment) => answers[closed.indexOf(payment)]?.hex ?? serialized(payment).toString('hex'))
  }

  private keep(accepted: readonly [string, Payment][]): void {
    for (const [txid, payment] of accepted) {
      this.sent += 1
      this.mempool.add(txid, payment)
      payment.paid.forEach(({ value, lock }, vout) => {
        this.add({ txid, vout, value, lock: lock as Lock })
      })
    }
  }

  private add(coin: Coin): void {
    this.known.set(outpointOf(coin), coin)
    if (isSpendable(coin.lock)) this.spendable.set(outpointOf(coin), coin)
  }

  /** Their outputs are no more; what they spent of others can be spent again. */
  private giveUp(evicted: readonly string[], spent: readonly Coin[]): void {
    const isGone = ({ txid }: Coin) => evicted.includes(txid)
    for (const [outpoint, coin] of this.spendable) if (isGone(coin)) this.spendable.delete(outpoint)
    const orphans = this.refused.filter(({ coins }) => coins.some(isGone))
    this.refused = this.refused.filter((payment) => !orphans.includes(payment))
    const free = [...spent, ...orphans.flatMap(({ coins }) => coins)].filter((coin) => !isGone(coin))
    this.spendableAgain(free)
  }

  private spendableAgain(coins: readonly Coin[]): void {
    for (const coin of coins) this.spendable.set(outpointOf(coin), coin)
  }

  private note(reason: string): void {
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1)
  }

  private generate(locks: readonly Pick<Lock, 'script'>[]): Promise<string[]> {
    // A descriptor cannot be of an empty script.
    const named = locks.map(({ script }) => script.toString('hex') || '51')
    const calls = named.map((script): Call => ['generatetodescriptor', 1, `raw(${script})`])
    return this.node.batch<[string]>(calls).then((blocks) => blocks.flat())
  }
}
