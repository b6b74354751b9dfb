import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'
import { queryInteger } from '../fields.js'
import { InsightTransactionPage, MAX_TRANSACTION_PAGE, UnspentOutput, WholeNumber } from './addresses.js'

/** Addresses of a wallet that are looked at, and in one reply. */
export const MAX_WALLET_ADDRESSES = 10_000
export const MAX_WALLET_PAGE = 1_000
const DEFAULT_GAP = 20
const MAX_GAP = 200
const MAX_KEY_LENGTH = 5_000

const place = {
  branch: z.number().meta({ description: 'Which path of the descriptor: 0 for receiving addresses, 1 for change.' }),
  index: z.number(),
}

const satoshis = {
  balanceSat: z.number(),
  totalReceivedSat: z.number(),
  totalSentSat: z.number(),
  unconfirmedBalanceSat: z.number(),
}

const WalletAddress = z
  .object({ address: z.string(), ...place, ...satoshis, transactions: z.number().meta({ description: 'The unconfirmed ones too.' }) })
  .meta({ id: 'WalletAddress' })

const NextAddress = z.object({ address: z.string(), ...place }).meta({ id: 'NextAddress' })

export const Wallet = z
  .object({
    descriptor: z.string().meta({ description: 'What was read, as a descriptor (BIP 380), with its checksum.' }),
    balance: z.number(),
    totalReceived: z.number().meta({ description: 'By all addresses: also what the wallet paid to itself.' }),
    totalSent: z.number(),
    unconfirmedBalance: z.number(),
    ...satoshis,
    transactions: z.number().meta({ description: 'Each once, the unconfirmed ones too.' }),
    usedAddresses: z.number(),
    next: z.array(NextAddress).meta({ description: 'Of each branch the first address after the last used one.' }),
    addresses: z.array(WalletAddress).meta({ description: 'The used ones, by branch and index.' }),
  })
  .meta({ id: 'Wallet' })
export type Wallet = z.infer<typeof Wallet>

const WalletOutput = UnspentOutput.extend(place).meta({ id: 'WalletOutput' })
export type WalletOutput = z.infer<typeof WalletOutput>

const KEY = {
  description: 'An extended public key of an account (xpub, ypub, zpub, of a test network tpub, upub, vpub), or a descriptor (BIP 380).',
}
const key = z.string().min(1).max(MAX_KEY_LENGTH).meta(KEY)
const GAP = { description: `How many unused addresses end the search; ${DEFAULT_GAP} without, as wallets do.` }
const gap = queryInteger(1, MAX_GAP).default(DEFAULT_GAP).meta(GAP)
const bodyGap = z.int().min(1).max(MAX_GAP).default(DEFAULT_GAP).meta(GAP)
const FROM = { description: 'The first one, counted from 0.' }
const TO = { description: 'The one after the last.' }
const range = {
  from: queryInteger(0, MAX_WALLET_ADDRESSES).optional().meta(FROM),
  to: queryInteger(0, MAX_WALLET_ADDRESSES).optional().meta(TO),
}
const bodyRange = { from: WholeNumber.optional().meta(FROM), to: WholeNumber.optional().meta(TO) }

const FIGURES = `The balance and totals of a wallet, its used addresses (${MAX_WALLET_PAGE} at most) and the next ones.`
const OUTPUTS = 'The unspent outputs of a wallet, as those of addresses, with the branch and index of each.'
const TRANSACTIONS = `The transactions of a wallet, newest first, each once: 10 from \`from\` on unless \`to\` asks for up to ${MAX_TRANSACTION_PAGE}.`
const IN_BODY = 'The same with the key in the body, which no log of requests has.'
const problems = ['InvalidWallet', 'WalletTooLarge', 'NotFollowed', 'NotReady']
const params = z.object({ xpub: key })

export const wallets = {
  summary: endpoint({
    method: 'GET',
    path: '/api/v1/xpub/{xpub}',
    summary: FIGURES,
    access: can('btc:read'),
    params,
    query: z.object({ gap, ...range }),
    status: 200,
    reply: Wallet,
    problems: [...problems, 'InvalidRange'],
  }),
  outputs: endpoint({
    method: 'GET',
    path: '/api/v1/xpub/{xpub}/utxo',
    summary: OUTPUTS,
    access: can('btc:read'),
    params,
    query: z.object({ gap }),
    status: 200,
    reply: z.array(WalletOutput),
    problems: [...problems, 'TooManyOutputs'],
  }),
  transactions: endpoint({
    method: 'GET',
    path: '/api/v1/xpub/{xpub}/txs',
    summary: TRANSACTIONS,
    access: can('btc:read'),
    params,
    query: z.object({ gap, ...range }),
    status: 200,
    reply: InsightTransactionPage,
    problems: [...problems, 'InvalidRange', 'NodeUnavailable'],
  }),
  summaryOfPosted: endpoint({
    method: 'POST',
    path: '/api/v1/xpub',
    summary: `${FIGURES} ${IN_BODY}`,
    access: can('btc:read'),
    body: z.object({ xpub: key, gap: bodyGap, ...bodyRange }),
    status: 200,
    reply: Wallet,
    problems: [...problems, 'InvalidRange'],
    recording: 'batched',
  }),
  outputsOfPosted: endpoint({
    method: 'POST',
    path: '/api/v1/xpub/utxo',
    summary: `${OUTPUTS} ${IN_BODY}`,
    access: can('btc:read'),
    body: z.object({ xpub: key, gap: bodyGap }),
    status: 200,
    reply: z.array(WalletOutput),
    problems: [...problems, 'TooManyOutputs'],
    recording: 'batched',
  }),
  transactionsOfPosted: endpoint({
    method: 'POST',
    path: '/api/v1/xpub/txs',
    summary: `${TRANSACTIONS} ${IN_BODY}`,
    access: can('btc:read'),
    body: z.object({ xpub: key, gap: bodyGap, ...bodyRange }),
    status: 200,
    reply: InsightTransactionPage,
    problems: [...problems, 'InvalidRange', 'NodeUnavailable'],
    recording: 'batched',
  }),
}
