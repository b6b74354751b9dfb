import { addressOf } from '@trestle/bitcoin/address'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { asmOf, asmOfInput, typeOf } from '@trestle/bitcoin/script'
import type { Transaction as ParsedTransaction, TransactionInput, TransactionOutput } from '@trestle/bitcoin/transaction'
import type { InsightTransaction, TransactionSummary } from '@trestle/contracts/btc-connect/transactions'
import type { WritableReply } from '@trestle/contracts/endpoint'
import { coinText, inCoins, inSatoshis } from '../exact-number.js'

/** In a block or in the mempool. */
export type TransactionLocation = InBlock | InMempool

export interface InBlock {
  readonly blockHash: Buffer
  readonly height: number
  readonly time: number
}

export interface InMempool {
  readonly firstSeen: number
}

/** An output that an input spends. */
export interface Prevout {
  readonly value: bigint
  /** Its script or that of its owner: both have the same address. */
  readonly script: Buffer
}

/** The input that spends an output. */
export interface Spend {
  readonly txid: Buffer
  readonly index: number
  /** -1 in the mempool. */
  readonly height: number
}

export interface KnownTransaction {
  readonly parsed: ParsedTransaction
  readonly place: TransactionLocation
  /** By input; undefined if unknown, empty for a coinbase. */
  readonly prevouts: ReadonlyArray<Prevout | undefined>
  /** By output. */
  readonly spends: ReadonlyMap<number, Spend>
}

/** What to omit. */
export interface TransactionOptions {
  readonly noAsm?: boolean
  readonly noScriptSig?: boolean
  readonly noSpent?: boolean
}

interface Context {
  readonly tipHeight: number
  readonly rules: ChainRules
  readonly options?: TransactionOptions
}

/** With the members in Insight's order. */
export function toTransaction(known: KnownTransaction, context: Context): WritableReply<InsightTransaction> {
  const { parsed } = known
  return {
    ...head(parsed),
    vin: parsed.inputs.map((input, n) =>
      parsed.isCoinbase ? toCoinbase(input, n) : toInput({ input, n, prevout: known.prevouts[n] }, context),
    ),
    vout: parsed.outputs.map((output, n) => toOutput({ output, n, spend: known.spends.get(n) }, context)),
    ...tail(known, context.tipHeight),
  }
}

export function toSummary(known: KnownTransaction, tipHeight: number): WritableReply<TransactionSummary> {
  return { ...head(known.parsed), ...tail(known, tipHeight) }
}

function head({ txid, version, lockTime }: ParsedTransaction) {
  return { txid: txid.toString('hex'), version, locktime: lockTime }
}

function tail({ parsed, place, prevouts }: KnownTransaction, tipHeight: number) {
  const valueOut = sum(parsed.outputs)
  const valueIn = prevouts.every((prevout) => prevout !== undefined) ? sum(prevouts) : undefined
  const hasFees = !parsed.isCoinbase && valueIn !== undefined
  return {
    ...locationOf(place, tipHeight),
    isCoinBase: parsed.isCoinbase,
    valueOut: inCoins(valueOut),
    size: parsed.raw.length,
    ...(hasFees && { valueIn: inCoins(valueIn), fees: inCoins(valueIn - valueOut) }),
  }
}

function locationOf(place: TransactionLocation, tipHeight: number) {
  if ('firstSeen' in place) return { blockheight: -1, confirmations: 0, time: place.firstSeen }
  const { blockHash, height, time } = place
  return { blockhash: blockHash.toString('hex'), blockheight: height, confirmations: tipHeight - height + 1, time, blocktime: time }
}

function toCoinbase({ script, sequence }: TransactionInput, n: number) {
  return { coinbase: script.toString('hex'), sequence, n }
}

interface NumberedInput {
  readonly input: TransactionInput
  readonly n: number
  readonly prevout: Prevout | undefined
}

function toInput({ input, n, prevout }: NumberedInput, { rules, options = {} }: Context) {
  const { txid, vout, sequence, script } = input
  const scriptSig = { hex: script.toString('hex'), ...(!options.noAsm && { asm: asmOfInput(script, rules.coin) }) }
  return {
    txid: txid.toString('hex'),
    vout,
    sequence,
    n,
    ...(!options.noScriptSig && { scriptSig }),
    addr: (prevout && addressOf(prevout.script, rules)) ?? null,
    ...(prevout && { valueSat: inSatoshis(prevout.value), value: inCoins(prevout.value) }),
    doubleSpentTxID: null,
  }
}

interface NumberedOutput {
  readonly output: TransactionOutput
  readonly n: number
  readonly spend: Spend | undefined
}

function toOutput({ output: { value, script }, n, spend }: NumberedOutput, { rules, options = {} }: Context) {
  const address = addressOf(script, rules)
  return {
    value: coinText(value),
    n,
    scriptPubKey: {
      hex: script.toString('hex'),
      ...(!options.noAsm && { asm: asmOf(script, rules.coin) }),
      addresses: address === undefined ? [] : [address],
      type: typeOf(script, rules.coin),
    },
    ...(!options.noSpent && toSpent(spend)),
  }
}

function toSpent(spend: Spend | undefined) {
  return { spentTxId: spend?.txid.toString('hex') ?? null, spentIndex: spend?.index ?? null, spentHeight: spend?.height ?? null }
}

function sum(amounts: ReadonlyArray<{ value: bigint } | undefined>): bigint {
  return amounts.reduce((total, amount) => total + (amount?.value ?? 0n), 0n)
}
