import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'
import { queryInteger } from '../fields.js'
import { Flag, InsightTransaction, TransactionSummary, transactionOptions } from './transactions.js'

/** Addresses in one request. */
export const MAX_REQUEST_ADDRESSES = 1000
/** Transaction ids in one reply. */
export const MAX_TRANSACTION_IDS = 1000
/** Transactions of several addresses in one reply, and how deep their common history can be read. */
export const MAX_TRANSACTION_PAGE = 50
export const MAX_HISTORY_DEPTH = 10_000
/** Up to here, transactions of several addresses are counted exactly. */
export const MAX_COUNTED_ENTRIES = 50_000
/** Unspent outputs in one reply. */
export const MAX_UNSPENT_OUTPUTS = 10_000

/** Interface 2.11; the two misspelt names are the interface's. */
export const AddressSummary = z
  .object({
    addrStr: z.string(),
    balance: z.number(),
    balanceSat: z.number(),
    totalReceived: z.number(),
    totalReceivedSat: z.number(),
    totalSent: z.number(),
    totalSentSat: z.number(),
    unconfirmedBalance: z.number(),
    unconfirmedBalanceSat: z.number(),
    unconfirmedTxApperances: z.number(),
    txApperances: z.number(),
    transactions: z.array(z.string()).optional(),
  })
  .meta({ id: 'Address' })
export type AddressSummary = z.infer<typeof AddressSummary>

export const UnspentOutput = z
  .object({
    address: z.string(),
    txid: z.string(),
    vout: z.number(),
    scriptPubKey: z.string(),
    amount: z.number(),
    satoshis: z.number(),
    height: z.number().optional().meta({ description: 'Absent while unconfirmed.' }),
    confirmations: z.number(),
    ts: z.number().meta({ description: 'The time of the block; while unconfirmed, when the output was first seen.' }),
  })
  .meta({ id: 'UnspentOutput' })
export type UnspentOutput = z.infer<typeof UnspentOutput>

export const InsightTransactionPage = z
  .object({ totalItems: z.number(), from: z.number(), to: z.number(), items: z.array(InsightTransaction) })
  .meta({ id: 'TransactionPage' })

/** The sums of some addresses. */
export const AddressSums = z
  .object({
    addresses: z.number().meta({ description: 'Each once.' }),
    balance: z.number(),
    balanceSat: z.number(),
    totalReceived: z.number(),
    totalReceivedSat: z.number(),
    totalSent: z.number(),
    totalSentSat: z.number(),
    unconfirmedBalance: z.number(),
    unconfirmedBalanceSat: z.number(),
    transactions: z.number().meta({ description: 'Each once, the unconfirmed ones too.' }),
  })
  .meta({ id: 'AddressSums' })
export type AddressSums = z.infer<typeof AddressSums>

const MAX_NUMBER = 1e14
/** Clients of Insight also send their numbers as digits. */
export const WholeNumber = z.union(
  [
    z.int().min(0).max(MAX_NUMBER),
    z
      .string()
      .regex(/^(0|[1-9]\d{0,13})$/)
      .transform(Number),
  ],
  `must be a whole number from 0 to ${MAX_NUMBER}, such as 10`,
)
const FROM = { description: 'The first one, counted from 0 at the newest.' }
const TO = { description: 'The one after the last.' }
const MIN = { description: 'Only outputs of this block and later.' }
const MAX = { description: 'Only outputs of this block and earlier; none of the mempool.' }
const range = { from: queryInteger(0, MAX_NUMBER).optional().meta(FROM), to: queryInteger(0, MAX_NUMBER).optional().meta(TO) }
const bodyRange = { from: WholeNumber.optional().meta(FROM), to: WholeNumber.optional().meta(TO) }
const heights = { minHeight: queryInteger(0, MAX_NUMBER).optional().meta(MIN), maxHeight: queryInteger(0, MAX_NUMBER).optional().meta(MAX) }
const bodyHeights = { minHeight: WholeNumber.optional().meta(MIN), maxHeight: WholeNumber.optional().meta(MAX) }
const addr = z.object({ addr: z.string() })
const addrs = z.object({ addrs: z.string().meta({ description: 'Comma-separated addresses.' }) })
const listed = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .meta({ description: `At most ${MAX_REQUEST_ADDRESSES} addresses: an array, or a comma-separated string.` })

const OUTPUTS = `Unspent outputs, the mempool's first, newest first: at most ${MAX_UNSPENT_OUTPUTS}, and a 400 if there are more: request fewer addresses, or a range of blocks with \`minHeight\` and \`maxHeight\`.`
const COUNTED = `Beyond ${MAX_COUNTED_ENTRIES} entries of several addresses the total counts a transaction once for each of them.`
const problems = ['InvalidAddress', 'NotFollowed', 'NotReady']
const severalProblems = [...problems, 'MissingAddress', 'TooManyAddresses']

function figure(path: `/${string}`, summary: string) {
  return endpoint({ method: 'GET', path, summary, access: can('btc:read'), params: addr, status: 200, reply: z.number(), problems })
}

export const addresses = {
  summary: endpoint({
    method: 'GET',
    path: '/api/v1/addr/{addr}',
    summary: `The balance and totals of an address and the ids of its transactions, newest first; by default ${MAX_TRANSACTION_IDS}.`,
    access: can('btc:read'),
    params: addr,
    query: z.object({ ...range, noTxList: Flag.optional() }),
    status: 200,
    reply: AddressSummary,
    problems: [...problems, 'InvalidRange'],
  }),
  balance: figure('/api/v1/addr/{addr}/balance', 'The confirmed balance in satoshis.'),
  totalReceived: figure('/api/v1/addr/{addr}/totalReceived', 'The total received, in satoshis.'),
  totalSent: figure('/api/v1/addr/{addr}/totalSent', 'The total spent, in satoshis.'),
  unconfirmedBalance: figure('/api/v1/addr/{addr}/unconfirmedBalance', 'The balance change by the mempool, in satoshis; may be negative.'),
  totalsOfSeveral: endpoint({
    method: 'GET',
    path: '/api/v1/addrs/{addrs}',
    summary: `The sums of some addresses. ${COUNTED}`,
    access: can('btc:read'),
    params: addrs,
    status: 200,
    reply: AddressSums,
    problems: severalProblems,
  }),
  totalsOfListed: endpoint({
    method: 'POST',
    path: '/api/v1/addrs',
    summary: `The sums of some addresses. ${COUNTED}`,
    access: can('btc:read'),
    body: z.object({ addrs: listed }).optional(),
    form: 'too',
    status: 200,
    reply: AddressSums,
    problems: severalProblems,
    recording: 'batched',
  }),
  outputs: endpoint({
    method: 'GET',
    path: '/api/v1/addr/{addr}/utxo',
    summary: OUTPUTS,
    access: can('btc:read'),
    params: addr,
    query: z.object(heights),
    status: 200,
    reply: z.array(UnspentOutput),
    problems: [...problems, 'TooManyOutputs'],
  }),
  outputsOfSeveral: endpoint({
    method: 'GET',
    path: '/api/v1/addrs/{addrs}/utxo',
    summary: OUTPUTS,
    access: can('btc:read'),
    params: addrs,
    query: z.object(heights),
    status: 200,
    reply: z.array(UnspentOutput),
    problems: [...severalProblems, 'TooManyOutputs'],
  }),
  outputsOfListed: endpoint({
    method: 'POST',
    path: '/api/v1/addrs/utxo',
    summary: OUTPUTS,
    access: can('btc:read'),
    query: z.object(heights),
    body: z.object({ addrs: listed, ...bodyHeights }).optional(),
    form: 'too',
    status: 200,
    reply: z.array(UnspentOutput),
    problems: [...severalProblems, 'TooManyOutputs'],
    recording: 'batched',
  }),
  transactionsOfSeveral: endpoint({
    method: 'GET',
    path: '/api/v1/addrs/{addrs}/txs',
    summary: `Transactions of some addresses, newest first, each once: 10 from \`from\` on unless \`to\` asks for up to ${MAX_TRANSACTION_PAGE}. ${COUNTED}`,
    access: can('btc:read'),
    params: addrs,
    query: z.object({ ...range, ...transactionOptions }),
    status: 200,
    reply: InsightTransactionPage,
    problems: [...severalProblems, 'InvalidRange', 'NodeUnavailable'],
  }),
  transactionsOfListed: endpoint({
    method: 'POST',
    path: '/api/v1/addrs/txs',
    summary: `The same without inputs and outputs, as an array; the total is in the header \`X-Total-Count\`. ${COUNTED}`,
    access: can('btc:read'),
    query: z.object(range),
    body: z.object({ addrs: listed, ...bodyRange }).optional(),
    form: 'too',
    status: 200,
    reply: z.array(TransactionSummary),
    problems: [...severalProblems, 'InvalidRange', 'NodeUnavailable'],
    recording: 'batched',
  }),
}
