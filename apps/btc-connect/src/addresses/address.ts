import { InvalidAddress, scriptOfAddress } from '@trestle/bitcoin/address'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { type AddressSummary, MAX_REQUEST_ADDRESSES } from '@trestle/contracts/btc-connect/addresses'
import type { WritableReply } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { inCoins, inSatoshis } from '../exact-number.js'

/** An address as requested, and its script. */
export interface NamedScript {
  readonly address: string
  readonly script: Buffer
}

/** The addresses of a request: a list, or separated by commas. */
export type AddressList = string | readonly string[] | undefined

/** The totals of a script, in satoshis. */
export interface AddressTotals {
  readonly received: bigint
  readonly sent: bigint
  /** Confirmed transactions. */
  readonly txCount: number
  /** The balance of the mempool; may be negative. */
  readonly unconfirmed: bigint
  readonly unconfirmedTxCount: number
}

/** The script of an address, or a Problem with Insight's text. */
export function parseNamedAddress(address: string, rules: ChainRules): NamedScript {
  try {
    return { address, script: scriptOfAddress(address, rules) }
  } catch (error) {
    if (!(error instanceof InvalidAddress)) throw error
    throw new Problem('invalid', 'InvalidAddress', `Invalid address: ${error.message}. Code:1`, { cause: error })
  }
}

/** Each script once, with the first of its spellings. */
export function parseAddresses(given: AddressList, rules: ChainRules, max = MAX_REQUEST_ADDRESSES): NamedScript[] {
  const list = typeof given === 'string' ? given.split(',') : (given ?? [])
  const texts = list.map((text) => text.trim()).filter((text) => text !== '')
  if (texts.length === 0) throw new Problem('invalid', 'MissingAddress', 'Must include address. Code:1')
  if (texts.length > max) throw new Problem('invalid', 'TooManyAddresses', `Maximum number of addresses (${max}) exceeded`)
  const scripts = new Map<string, NamedScript>()
  for (const text of texts) {
    const named = parseNamedAddress(text, rules)
    const hex = named.script.toString('hex')
    if (!scripts.has(hex)) scripts.set(hex, named)
  }
  return [...scripts.values()]
}

export function balanceOf({ received, sent }: AddressTotals): bigint {
  return received - sent
}

export function addedUp(totals: readonly AddressTotals[]): AddressTotals {
  return totals.reduce(
    (sum, each) => ({
      received: sum.received + each.received,
      sent: sum.sent + each.sent,
      txCount: sum.txCount + each.txCount,
      unconfirmed: sum.unconfirmed + each.unconfirmed,
      unconfirmedTxCount: sum.unconfirmedTxCount + each.unconfirmedTxCount,
    }),
    { received: 0n, sent: 0n, txCount: 0, unconfirmed: 0n, unconfirmedTxCount: 0 },
  )
}

/** Balance and totals, in coins and in satoshis. */
export function toFigures(totals: AddressTotals) {
  const { received, sent, unconfirmed } = totals
  const balance = balanceOf(totals)
  return {
    balance: inCoins(balance),
    balanceSat: inSatoshis(balance),
    totalReceived: inCoins(received),
    totalReceivedSat: inSatoshis(received),
    totalSent: inCoins(sent),
    totalSentSat: inSatoshis(sent),
    unconfirmedBalance: inCoins(unconfirmed),
    unconfirmedBalanceSat: inSatoshis(unconfirmed),
  }
}

/** With the members in Insight's order. */
export function toAddress(address: string, totals: AddressTotals, transactions?: string[]): WritableReply<AddressSummary> {
  return {
    addrStr: address,
    ...toFigures(totals),
    unconfirmedTxApperances: totals.unconfirmedTxCount,
    txApperances: totals.txCount,
    ...(transactions && { transactions }),
  }
}
