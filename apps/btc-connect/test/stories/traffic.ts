import type { RpcInvocation } from '@trestle/devnet/chains/node-rpc'
import { Desk, type DeskOptions } from './desk.js'
import { isSpendable, Keyring, memoScript, type OutputLock } from './locks.js'
import { NaiveMempool } from './mempool.js'
import { consoleSatoshis, type NodeConsole } from './node-console.js'
import { MATURITY, Purse } from './purse.js'
import type { SeededRandom } from './random.js'
import { feeOf, type PaidOutput, type RawPayment, type SpendableCoin, sumOfCoins } from './raw-payment.js'
import type { StoryWallet } from './wallet.js'

const COINBASES = 40
const LAYER = 80
const MEMOS = 9
const MEMO_BYTES = 100_000

/** People who pay each other with every kind of script, over one node of their own. The same seed makes the same people. */
export class Traffic {
  readonly desk: Desk
  private readonly purse = new Purse()
  private readonly mempool = new NaiveMempool()
  private readonly ring: Keyring
  private readonly wallet: StoryWallet | undefined
  private refused: RawPayment[] = []
  sent = 0
  replaced = 0

  constructor(
    readonly node: NodeConsole,
    readonly random: SeededRandom,
    { wallet, ...options }: DeskOptions & { readonly wallet?: StoryWallet },
  ) {
    this.ring = new Keyring(random)
    this.desk = new Desk(node, options)
    this.wallet = wallet
  }

  /** Mines the first blocks to outputs of every kind, and waits until they may be spent. */
  async begin(): Promise<void> {
    const locks = Array.from({ length: COINBASES }, () => this.ring.spendable())
    const hashes = await this.desk.mine(locks)
    if (this.wallet) await this.node.call('generatetoaddress', 5, await this.wallet.address())
    await this.mine(MATURITY)
    const blocks = await this.node.batch<{ tx: { txid: string; vout: { value: string }[] }[] }>(hashes.map((hash) => ['getblock', hash, 2]))
    blocks.forEach(({ tx: [coinbase] }, i) => {
      if (coinbase)
        this.purse.add({
          txid: coinbase.txid,
          vout: 0,
          value: consoleSatoshis(coinbase.vout[0]?.value ?? ''),
          lock: locks[i] as OutputLock,
        })
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
      const accepted = await this.desk.submit(layer)
      this.keep(accepted)
      const taken = new Set(accepted.map(([, payment]) => payment))
      this.refused.push(...layer.filter((payment) => !taken.has(payment)))
      left -= layer.length
    }
  }

  /** A block with all that waits, and one with what the node does not let wait: policy is no rule of the chain. */
  async close(): Promise<void> {
    await this.mine()
    const payments = this.refused.splice(0)
    if (!(await this.mineExactly(payments))) this.purse.putBack(payments.flatMap(({ coins }) => coins))
  }

  async mine(count = 1): Promise<string[]> {
    const hashes = await this.desk.mine(Array.from({ length: count }, () => this.ring.lock()))
    this.mempool.clear()
    return hashes
  }

  /** Payments, replacements, what the wallet does, and a block. */
  async round(payments: number): Promise<void> {
    await this.pay(payments)
    for (let i = 0; i < payments / 40; i++) await this.replace()
    await this.wallet?.act(this.random)
    if (this.wallet) await this.payWallet(this.wallet)
    await this.close()
  }

  /** Blocks of nearly a megabyte each, most of it memos: what fills an index's buffers quickly. */
  async fatten(blocks: number): Promise<void> {
    for (let i = 0; i < blocks; i++) {
      const coin = this.random.pick(this.purse.open(1_000n))
      this.purse.take([coin])
      const memos = Array.from({ length: MEMOS }, () => ({ value: 0n, lock: memoScript(Buffer.alloc(MEMO_BYTES, this.random.bytes(32))) }))
      await this.mineExactly([{ coins: [coin], paid: [...memos, { value: coin.value, lock: this.ring.of('witnessScriptOpen') }] }])
    }
  }

  /** A payment that waits is replaced by one that pays other people and a better fee (BIP 125). */
  async replace(): Promise<void> {
    const [target] = this.random.sample(this.mempool.replaceable(), 1)
    if (!target) return
    const { fees, evicted } = this.mempool.descendants(target)
    const { coins } = target.payment
    const fee = fees + feeOf(coins.length, 3) + 20_000n
    if (sumOfCoins(coins) <= fee + 10_000n) return
    const accepted = await this.desk.submit([{ coins, paid: this.share(sumOfCoins(coins) - fee, 2) }])
    if (accepted.length === 0) return
    const [, ...children] = evicted
    this.giveUp(
      evicted.map(({ txid }) => txid),
      children.flatMap(({ payment }) => payment.coins),
    )
    this.mempool.remove(evicted)
    this.keep(accepted)
    this.replaced += 1
  }

  /**
   * Some blocks are taken back; double spends and other blocks take their place, with what else they had. Returns what is stale now:
   * the new ones, when the first were longer after all.
   */
  async reorganize(depth: number, { longer = 1, comesBack = false } = {}): Promise<string[]> {
    const height = await this.node.call<number>('getblockcount')
    const left = await this.node.batch<string>(
      Array.from({ length: depth }, (_, i): RpcInvocation => ['getblockhash', height - depth + 1 + i]),
    )
    await this.node.call('invalidateblock', left[0])
    const others = await this.doubleSpend()
    await this.desk.sendAgain(left)
    const rest = comesBack ? depth - 1 - others.length : depth + longer - others.length
    others.push(...(await this.mine(Math.max(0, rest))))
    await this.node.call('reconsiderblock', left[0])
    await this.refresh()
    return comesBack ? others : left
  }

  /** What became of everybody's coins, when the node is not where it was. */
  async refresh(): Promise<void> {
    this.mempool.clear()
    this.refused = []
    await this.purse.refresh(this.node)
  }

  /** A block without what waits, but with payments that spend the same coins. */
  private async doubleSpend(): Promise<string[]> {
    await this.purse.refresh(this.node, { withMempool: false })
    // Small ones: what was paid out of a large one would be gone, and what was paid out of that.
    const smallest = this.purse
      .open(1_000_000n)
      .sort((a, b) => Number(a.value - b.value))
      .slice(0, 3)
    const payments = smallest.map((coin) => ({ coins: [coin], paid: this.share(coin.value, 2) }))
    const hash = await this.mineExactly(payments)
    return hash ? [hash] : []
  }

  private async mineExactly(payments: readonly RawPayment[]): Promise<string | undefined> {
    const block = await this.desk.mineExactly(payments, this.ring.spendable())
    if (!block) return undefined
    this.keep(payments.map((payment, i) => [block.tx[i + 1] ?? '', payment]))
    this.mempool.clear()
    return block.hash
  }

  /** The wallet has something to spend, of unlike amounts. */
  private async payWallet(wallet: StoryWallet): Promise<void> {
    const rich = this.purse.coins.filter(({ value }) => value > 100_000_000n)
    if (rich.length === 0) return
    const coin = this.random.pick(rich)
    this.purse.take([coin])
    const rest = coin.value - 50_000_000n - feeOf(1, 3)
    const paid = [{ value: 50_000_000n, lock: await wallet.lock() }, ...this.share(rest, 1)]
    this.keep(await this.desk.submit([{ coins: [coin], paid }]))
  }

  private layer(count: number): RawPayment[] {
    const payments: RawPayment[] = []
    // What is paid in one layer is spent in the next at the earliest.
    const candidates = this.random.sample(this.purse.coins, count * 4)
    while (payments.length < count && candidates.length > 0) {
      const payment = this.payment(candidates)
      if (payment) payments.push(payment)
    }
    return payments
  }

  private payment(candidates: SpendableCoin[]): RawPayment | undefined {
    const coins = this.choose(candidates)
    if (!this.mempool.hasRoomFor(coins)) return undefined
    const outputs = this.random.chance(0.04) ? this.random.between(8, 40) : this.random.pick([1, 1, 2, 2, 2, 3, 4])
    const rest = sumOfCoins(coins) - feeOf(coins.length, outputs)
    if (rest < 1_000n) return undefined
    this.purse.take(coins)
    const payment = { coins, paid: this.share(rest, outputs), version: this.random.pick([1, 2, 2]) }
    // Its id is not known before it is signed, but its room is taken now.
    this.mempool.join(payment)
    return payment
  }

  /** One, a few, or a consolidation; a node signs all of them or none. */
  private choose(candidates: SpendableCoin[]): SpendableCoin[] {
    const first = candidates.pop()
    const coins = first ? [first] : []
    const wanted = this.random.chance(0.03) ? this.random.between(5, 30) : this.random.pick([1, 1, 1, 1, 2, 3])
    while (coins.length < wanted) {
      const at = candidates.findLastIndex(({ lock }) => Boolean(lock.opening) === Boolean(first?.lock.opening))
      if (at < 0) break
      coins.push(...candidates.splice(at, 1))
    }
    return coins
  }

  /** An amount in parts: large, small, none at all, back to whom it came from. */
  private share(total: bigint, count: number): PaidOutput[] {
    const paid: PaidOutput[] = []
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

  private keep(accepted: readonly [string, RawPayment][]): void {
    for (const [txid, payment] of accepted) {
      this.sent += 1
      this.mempool.add(txid, payment)
      payment.paid.forEach(({ value, lock }, vout) => {
        this.purse.add({ txid, vout, value, lock: lock as OutputLock })
      })
    }
  }

  /** What these paid is no more; what they spent of others can be spent again. */
  private giveUp(evicted: readonly string[], spent: readonly SpendableCoin[]): void {
    const isGone = ({ txid }: SpendableCoin) => evicted.includes(txid)
    this.purse.take(this.purse.coins.filter(isGone))
    const orphans = this.refused.filter(({ coins }) => coins.some(isGone))
    this.refused = this.refused.filter((payment) => !orphans.includes(payment))
    this.purse.putBack([...spent, ...orphans.flatMap(({ coins }) => coins)].filter((coin) => !isGone(coin)))
  }
}
