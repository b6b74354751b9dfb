import { addressOfOwner, mine } from './mining.js'
import { flush } from './node.js'
import type { NodeRpc, RpcInvocation } from './node-rpc.js'
import { MINER, nullDataScript, type Owner, PEOPLE, payToTaproot, SHOP } from './owners.js'
import { type Payment, type PaymentOutput, paymentSigningCall, type SpendableOutput, sumOfOutputs, txidOf } from './payment.js'

/** The wallet that a person can use: its methods are at `/wallet/demo` of the node's address. */
export const WALLET = 'demo'

/** 2025-01-01; the same for everybody, as the ids of all transactions are up to those of the wallet, which has keys of its own. */
const BEGINNING = 1_735_689_600
const BLOCK_SECONDS = 600
// Miners wait 100 blocks for their reward, and ten of them are needed.
const REWARDS = 10
const REWARD = 50_00000000n
const MATURITY = 100

const PAYMENTS = 1200
const PAYMENTS_A_BLOCK = 100
const PURSE = 4_000_000n
const PRICE = 1_000_000n
const FEE = 1_000n

/** MWEB's first block on regtest. */
export const MWEB_HEIGHT = 432

/**
 * Gives a new chain its past: `PAYMENTS` payments to one shop, with change for people who are paid in every way there is; a wallet with coins;
 * and, where `mweb` is wanted, the first extension block. Blocks are handed their transactions, and no wallet chooses coins: it takes seconds.
 */
export async function makeHistory(rpc: NodeRpc, { mweb }: { readonly mweb: boolean }): Promise<void> {
  const past = new Past(rpc, await addressOfOwner(rpc, MINER))
  await past.mine(MATURITY + REWARDS)
  const [first, ...others] = await past.rewards(REWARDS)
  if (!first) throw new Error('The chain has paid no rewards.')
  const purses = await past.makePurses(first)
  for (let from = 0; from < PAYMENTS; from += PAYMENTS_A_BLOCK) await past.addBlock(purchases(purses, from, from + PAYMENTS_A_BLOCK))
  await past.fillWallet(others)
  if (mweb) {
    await past.mineTo(MWEB_HEIGHT - 1)
    await pegIn(rpc.wallet(WALLET))
    await past.mine(1)
  }
  await rpc.call('setmocktime', 0)
  // As new as it can be, for a node takes itself to be behind when its newest block is a day old.
  await mine(rpc)
  await flush(rpc)
}

/** Sends a coin into MWEB: without one that waits, the first block of MWEB cannot be made. */
export async function pegIn(wallet: NodeRpc): Promise<void> {
  await wallet.call('sendtoaddress', await wallet.call('getnewaddress', '', 'mweb'), 1)
}

/** Somebody's purse pays the shop and a person. Now and then the shop adds one of its own coins, so that it spends, too. */
export function purchases(purses: readonly SpendableOutput[], from: number, to: number): Payment[] {
  return purses.slice(from, to).map((purse, offset) => purchase(purses, purse, from + offset))
}

function purchase(purses: readonly SpendableOutput[], purse: SpendableOutput, i: number): Payment {
  const coins = [purse, ...refundFor(purses, i)]
  const extras = unspentExtras(i)
  const price = PRICE + BigInt(i)
  const change = sumOfOutputs(coins) - price - sumOfOutputs(extras) - FEE
  return { coins, outputs: [{ value: price, script: SHOP.script }, { value: change, script: personAt(i).script }, ...extras] }
}

// Every fourth payment spends what the shop was paid some blocks before by one that is not such a fourth: whose id is known unsigned, for
// purses have their signatures in witnesses.
function refundFor(purses: readonly SpendableOutput[], i: number): SpendableOutput[] {
  const earlier = i - PAYMENTS_A_BLOCK - 3
  const purse = i % 4 === 3 && purses[earlier]
  if (!purse) return []
  return [{ txid: txidOf(purchase(purses, purse, earlier)), vout: 0, value: PRICE + BigInt(earlier), owner: SHOP }]
}

/** Outputs of the kinds that nobody spends. */
export function unspentExtras(i: number): PaymentOutput[] {
  const taproot = i % 7 === 0 ? [{ value: 10_000n, script: payToTaproot(personAt(i).key) }] : []
  return i % 10 === 0 ? [...taproot, { value: 0n, script: nullDataScript(`receipt ${i}`) }] : taproot
}

function personAt(i: number): Owner {
  return PEOPLE[i % PEOPLE.length] ?? SHOP
}

/** A chain at its beginning, where time is what we say it is. */
class Past {
  private height = 0

  constructor(
    private readonly rpc: NodeRpc,
    private readonly miner: string,
  ) {}

  async mine(count: number): Promise<void> {
    const blocks = Array.from({ length: count }, (): RpcInvocation[] => [this.nextTime(), ['generatetoaddress', 1, this.miner]])
    await this.rpc.batch(blocks.flat())
  }

  mineTo(height: number): Promise<void> {
    return this.mine(height - this.height)
  }

  /** What the first blocks paid. */
  async rewards(count: number): Promise<SpendableOutput[]> {
    const hashes = await this.rpc.batch<string>(Array.from({ length: count }, (_, i) => ['getblockhash', i + 1]))
    const blocks = await this.rpc.batch<{ tx: [string] }>(hashes.map((hash) => ['getblock', hash]))
    return blocks.map(({ tx: [txid] }) => ({ txid, vout: 0, value: REWARD, owner: MINER }))
  }

  /** Splits a coin into as many as there will be payments. */
  async makePurses(coin: SpendableOutput): Promise<SpendableOutput[]> {
    const outputs = Array.from({ length: PAYMENTS }, () => ({ value: PURSE, script: MINER.script }))
    const payment = { coins: [coin], outputs }
    await this.addBlock([payment])
    return outputs.map(({ value }, vout) => ({ txid: txidOf(payment), vout, value, owner: MINER }))
  }

  /** A new wallet gets all of it, at two addresses of each kind it has. */
  async fillWallet(coins: readonly SpendableOutput[]): Promise<void> {
    const [none, isLoadedAtStart] = [null, true]
    await this.rpc.call('createwallet', WALLET, none, none, none, none, none, isLoadedAtStart)
    const wallet = this.rpc.wallet(WALLET)
    const kinds = ['legacy', 'p2sh-segwit', 'bech32'].flatMap((kind) => [kind, kind])
    const addresses = await wallet.batch<string>(kinds.map((kind) => ['getnewaddress', '', kind]))
    const infos = await wallet.batch<{ scriptPubKey: string }>(addresses.map((address) => ['getaddressinfo', address]))
    const value = (sumOfOutputs(coins) - FEE) / BigInt(addresses.length)
    await this.addBlock([{ coins, outputs: infos.map(({ scriptPubKey }) => ({ value, script: Buffer.from(scriptPubKey, 'hex') })) }])
  }

  async addBlock(payments: readonly Payment[]): Promise<void> {
    const signed = await signAll(this.rpc, payments)
    await this.rpc.batch([this.nextTime(), ['generateblock', this.miner, signed]])
  }

  private nextTime(): RpcInvocation {
    this.height += 1
    return ['setmocktime', BEGINNING + this.height * BLOCK_SECONDS]
  }
}

/** The signed transactions, in hex. */
export async function signAll(rpc: NodeRpc, payments: readonly Payment[]): Promise<string[]> {
  const answers = await rpc.batch<{ hex: string; complete: boolean; errors?: unknown }>(payments.map(paymentSigningCall))
  return answers.map(({ hex, complete, errors }) => {
    if (!complete) throw new Error(`The node did not sign: ${JSON.stringify(errors)}`)
    return hex
  })
}
