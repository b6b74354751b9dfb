import type { Block } from '@trestle/bitcoin/block'
import { type ChainRules, chainRules } from '@trestle/bitcoin/chain-rules'
import { isUnspendable } from '@trestle/bitcoin/script'
import type { Transaction } from '@trestle/bitcoin/transaction'
import { type BuiltOutpoint, type BuiltPayment, blockAfter, coinbase, payment, script } from './built-chain.js'

interface Coin extends BuiltOutpoint {
  readonly value: bigint
}

const NAMES = ['ann', 'bob', 'cy', 'dee']
const KINDS = [script.keyHash, script.key, script.scriptHash, script.witness, script.taproot, script.data, script.empty]

// BIP 30: the coinbase of the one comes again in the other, with the first one's outputs unspent and lost.
const OVERWRITTEN = 3
const OVERWRITING = 6
const TWICE = coinbase('twice', [
  { value: 40n, script: script.keyHash('ann') },
  { value: 10n, script: script.key('twice') },
])

const GENESIS = blockAfter(undefined, [coinbase('genesis', [{ value: 50n, script: script.key('satoshi') }])])

export const RANDOM_RULES: ChainRules = {
  ...chainRules('btc', 'regtest'),
  genesisHash: GENESIS.header.hash.toString('hex'),
  overwrittenCoinbases: [{ height: OVERWRITTEN, txid: TWICE.txid.toString('hex') }],
}

export interface Growth {
  /** So many of the newest blocks are left first; the genesis block always stays. */
  readonly left: number
  readonly blocks: number
  readonly seed: number
}

/** The chains that follow from one another, each as it is after one growth. */
export function randomChains(growths: readonly Growth[]): Block[][] {
  const chains: Block[][] = []
  let chain = [GENESIS]
  for (const { left, blocks, seed } of growths) {
    chain = chain.slice(0, Math.max(1, chain.length - left))
    // Two growths of one seed make other blocks: a chain that only became shorter is a node that is behind, and is waited for.
    const random = randomNumbers(seed ^ (chains.length << 28))
    for (let i = 0; i < blocks; i++) chain = [...chain, nextBlock(chain, random)]
    chains.push(chain)
  }
  return chains
}

type Random = (below: number) => number

function nextBlock(chain: readonly Block[], random: Random): Block {
  const height = chain.length
  const coins = coinsOf(chain)
  const nonce = random(2 ** 31)
  const isTwice = height === OVERWRITTEN || height === OVERWRITING
  const transactions: Transaction[] = [isTwice ? TWICE : coinbase(`${height} ${nonce}`, [paidTo(50n, random), paidTo(0n, random)])]
  for (let count = random(6); count > 0 && coins.length > 0; count--) {
    const spent = Array.from({ length: Math.min(coins.length, 1 + random(3)) }, () => coins.splice(random(coins.length), 1)[0]!)
    // Spent by a transaction that we know nothing of: before the first block of the index.
    const unparseable = random(10) === 0 ? [{ txid: Buffer.alloc(32, random(256)), vout: random(3), value: 5n }] : []
    const total = [...spent, ...unparseable].reduce((sum, { value }) => sum + value, 0n)
    const outputs = Array.from({ length: 1 + random(4) }, (_, i) => paidTo(i === 0 ? total : 0n, random))
    const transaction = payment([...spent, ...unparseable], outputs)
    transactions.push(transaction)
    // To be spent in the same block.
    coins.push(...coinsIn(transaction))
  }
  return blockAfter(chain.at(-1), transactions, nonce)
}

function coinsOf(chain: readonly Block[]): Coin[] {
  const coins = new Map<string, Coin>()
  for (const [height, { transactions }] of chain.entries()) {
    for (const transaction of transactions) {
      for (const { txid, vout } of transaction.inputs) coins.delete(`${txid.toString('hex')}:${vout}`)
      const isLost = height === 0 || (transaction.isCoinbase && height === OVERWRITTEN)
      if (!isLost) for (const coin of coinsIn(transaction)) coins.set(`${coin.txid.toString('hex')}:${coin.vout}`, coin)
    }
  }
  return [...coins.values()]
}

function coinsIn({ txid, outputs }: Transaction): Coin[] {
  return outputs.flatMap(({ value, script }, vout) => (isUnspendable(script) ? [] : { txid, vout, value }))
}

function paidTo(value: bigint, random: Random): BuiltPayment {
  const kind = KINDS[random(KINDS.length)]!
  return { value, script: kind(NAMES[random(NAMES.length)]!) }
}

/** Mulberry32. */
function randomNumbers(seed: number): Random {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
