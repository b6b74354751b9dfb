import { MAX_WALLET_ADDRESSES, MAX_WALLET_PAGE, type Wallet } from '@trestle/contracts/btc-connect/wallets'
import type { WritableReply } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { type AddressTotals, addedUp, balanceOf, type NamedScript, toFigures } from '../addresses/address.js'
import { inSatoshis } from '../exact-number.js'

/** One of the scripts of a wallet. */
export interface WalletScript extends NamedScript {
  readonly branch: number
  readonly index: number
}

export interface FoundScript extends WalletScript {
  readonly totals: AddressTotals
}

interface PageRange {
  readonly from?: number
  readonly to?: number
}

interface Found {
  /** With its checksum. */
  readonly descriptor: string
  /** All that were looked at, by branch and index. */
  readonly scripts: readonly FoundScript[]
  readonly transactions: number
}

/** Whether a block or the mempool has a transaction of it, whatever is left there. */
export function isUsed({ totals: { txCount, unconfirmedTxCount } }: FoundScript): boolean {
  return txCount + unconfirmedTxCount > 0
}

export function walletTooLarge(): Problem {
  return new Problem(
    'invalid',
    'WalletTooLarge',
    `This wallet has more than ${MAX_WALLET_ADDRESSES} addresses: ask for its branches one by one, as descriptors without <0;1>, or for its addresses.`,
  )
}

export function toWallet({ descriptor, scripts, transactions }: Found, range: PageRange): WritableReply<Wallet> {
  const used = scripts.filter(isUsed)
  const { from, to } = checked(range)
  return {
    descriptor,
    ...toFigures(addedUp(scripts.map(({ totals }) => totals))),
    transactions,
    usedAddresses: used.length,
    next: nextOf(scripts).map(({ address, branch, index }) => ({ address, branch, index })),
    addresses: used.slice(from, to).map(toAddress),
  }
}

function checked({ from = 0, to = from + MAX_WALLET_PAGE }: PageRange): Required<PageRange> {
  if (from < to && to - from <= MAX_WALLET_PAGE) return { from, to }
  throw new Problem('invalid', 'InvalidRange', `"to" (${to}) must be greater than "from" (${from}), by at most ${MAX_WALLET_PAGE}.`)
}

/** Of each branch the first one after the last used one. */
function nextOf(scripts: readonly FoundScript[]): FoundScript[] {
  const last = new Map<number, number>()
  for (const script of scripts.filter(isUsed)) last.set(script.branch, script.index)
  return scripts.filter(({ branch, index }) => index === (last.get(branch) ?? -1) + 1)
}

function toAddress({ address, branch, index, totals }: FoundScript): WritableReply<Wallet>['addresses'][number] {
  return {
    address,
    branch,
    index,
    balanceSat: inSatoshis(balanceOf(totals)),
    totalReceivedSat: inSatoshis(totals.received),
    totalSentSat: inSatoshis(totals.sent),
    unconfirmedBalanceSat: inSatoshis(totals.unconfirmed),
    transactions: totals.txCount + totals.unconfirmedTxCount,
  }
}
