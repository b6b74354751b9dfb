import type { ExpectedChainState } from './chain-state.js'
import { ANY_NUMBER } from './difference.js'
import type { NodeInput, NodeOutput, NodeTransaction } from './node-block.js'
import { consoleCoins } from './node-console.js'
import type { WaitingState } from './waiting-state.js'

/** All that is true at one moment, and how the service has to say it (interface 2.11). */
export interface Truth {
  readonly state: ExpectedChainState
  readonly waiting: WaitingState
}

/** An amount as a JSON number in coins, as short as it can be without an exponent. */
function expectedCoins(satoshis: bigint): string {
  return consoleCoins(satoshis).replace(/\.?0+$/, '')
}

/** The text of an address's summary but for the list, whose beginning nobody but the service can know the order of. */
export function expectedAddress(address: string, { state, waiting }: Truth): string {
  const { received, sent, history } = state.addresses.get(address) ?? { received: 0n, sent: 0n, history: [] }
  const pairs: [string, bigint][] = [
    ['balance', received - sent],
    ['totalReceived', received],
    ['totalSent', sent],
    ['unconfirmedBalance', waiting.balanceOf(address)],
  ]
  const amounts = pairs.map(([name, value]) => `"${name}":${expectedCoins(value)},"${name}Sat":${value}`)
  return `{"addrStr":"${address}",${amounts},"unconfirmedTxApperances":${waiting.of(address).length},"txApperances":${history.length}`
}

export function confirmedOutputs(addresses: readonly string[], { state, waiting }: Truth): object[] {
  const all = addresses.flatMap((address) => waiting.unspent(address, state).confirmed.map((output) => ({ address, ...output })))
  const place = ({ txid }: { readonly txid: string }) => state.positions.get(txid) ?? 0
  const sorted = all.sort((a, b) => place(b) - place(a) || a.vout - b.vout)
  return sorted.map(({ address, txid, vout, script, value, height, time }) => ({
    address,
    txid,
    vout,
    scriptPubKey: script,
    amount: Number(expectedCoins(value)),
    satoshis: Number(value),
    height,
    confirmations: state.tip.height - height + 1,
    ts: time,
  }))
}

export function waitingOutputs(addresses: readonly string[], { state, waiting }: Truth): object[] {
  return addresses.flatMap((address) =>
    waiting.unspent(address, state).waiting.map(({ txid, vout, script, value }) => ({
      address,
      txid,
      vout,
      scriptPubKey: script,
      amount: Number(expectedCoins(value)),
      satoshis: Number(value),
      confirmations: 0,
      ts: ANY_NUMBER,
    })),
  )
}

export function summary(given: NodeTransaction, truth: Truth): object {
  const { state } = truth
  const { txid, version, locktime, vin, vout } = given
  const { outputs } = state.reader
  const block = state.blocksOf.get(txid)
  const total = (ids: readonly string[]) => ids.reduce((sum, id) => sum + (outputs.get(id)?.value ?? 0n), 0n)
  const isCoinBase = vin[0]?.coinbase !== undefined
  const valueOut = total(vout.map(({ n }) => `${txid}:${n}`))
  const valueIn = total(vin.map((input) => `${input.txid}:${input.vout}`))
  return {
    txid,
    version,
    locktime,
    ...(block ? { blockhash: block.hash, blockheight: block.height, blocktime: block.time } : { blockheight: -1 }),
    confirmations: block ? state.tip.height - block.height + 1 : 0,
    time: block ? block.time : ANY_NUMBER,
    isCoinBase,
    valueOut: Number(expectedCoins(valueOut)),
    size: sizeOf(given, truth),
    ...(!isCoinBase && { valueIn: Number(expectedCoins(valueIn)), fees: Number(expectedCoins(valueIn - valueOut)) }),
  }
}

/**
 * The node counts the marker, the flag and the empty extension of the transaction that ends an MWEB block, and of one that waits to be
 * pegged in all that will move into that part of its block.
 */
function sizeOf({ txid, size, vout }: NodeTransaction, { waiting }: Truth): number | typeof ANY_NUMBER {
  const types = vout.map(({ scriptPubKey }) => scriptPubKey.type)
  if (waiting.transactions.has(txid) && types.includes('witness_mweb_pegin')) return ANY_NUMBER
  return types[0] === 'witness_mweb_hogaddr' ? size - 3 : size
}

export function expectedTransaction(given: NodeTransaction, truth: Truth): object {
  return {
    ...summary(given, truth),
    vin: given.vin.map((input, n) => inputOf(input, n, truth)),
    vout: given.vout.map((output) => outputOf(given.txid, output, truth)),
  }
}

function inputOf({ coinbase, txid, vout, scriptSig, sequence }: NodeInput, n: number, { state }: Truth): object {
  if (coinbase !== undefined) return { coinbase, sequence, n }
  const { value = 0n, address = null } = state.reader.outputs.get(`${txid}:${vout}`) ?? {}
  return {
    txid,
    vout,
    sequence,
    n,
    scriptSig,
    addr: address,
    valueSat: Number(value),
    value: Number(expectedCoins(value)),
    doubleSpentTxID: null,
  }
}

function outputOf(txid: string, output: NodeOutput, { state, waiting }: Truth): object {
  const { value, n, scriptPubKey } = output
  const { hex, asm, type } = scriptPubKey
  const address = state.reader.addressOf(output)
  const id = `${txid}:${n}`
  const spender = waiting.spenders.has(id) ? { ...waiting.spenders.get(id), height: -1 } : state.spenders.get(id)
  return {
    value,
    n,
    scriptPubKey: { hex, asm, addresses: address === undefined ? [] : [address], type },
    spentTxId: spender?.txid ?? null,
    spentIndex: spender?.vin ?? null,
    spentHeight: spender?.height ?? null,
  }
}
