import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'
import { queryInteger } from '../fields.js'

const summary = {
  txid: z.string(),
  version: z.number(),
  locktime: z.number(),
}

const confirmation = {
  blockhash: z.string().optional().meta({ description: 'Absent while unconfirmed.' }),
  blockheight: z.number().meta({ description: '-1 while unconfirmed.' }),
  confirmations: z.number(),
  time: z.number().meta({ description: 'The time of the block; while unconfirmed, when the transaction was first seen.' }),
  blocktime: z.number().optional(),
  isCoinBase: z.boolean(),
  valueOut: z.number(),
  size: z.number(),
  valueIn: z.number().optional().meta({ description: 'Absent for a coinbase, and if a spent output is unknown.' }),
  fees: z.number().optional(),
}

const CoinbaseInput = z.object({ coinbase: z.string(), sequence: z.number(), n: z.number() }).meta({ id: 'CoinbaseInput' })

const SpendingInput = z
  .object({
    txid: z.string(),
    vout: z.number(),
    sequence: z.number(),
    n: z.number(),
    scriptSig: z.object({ hex: z.string(), asm: z.string().optional() }).optional(),
    addr: z.string().nullable().meta({ description: 'The address of the spent output; null if its script has none.' }),
    valueSat: z.number().optional(),
    value: z.number().optional(),
    doubleSpentTxID: z.string().nullable(),
  })
  .meta({ id: 'SpendingInput' })

const Output = z
  .object({
    value: z.string().meta({ description: 'In coins, with 8 digits after the point.', example: '0.21247964' }),
    n: z.number(),
    scriptPubKey: z.object({ hex: z.string(), asm: z.string().optional(), addresses: z.array(z.string()), type: z.string() }),
    spentTxId: z.string().nullable().optional(),
    spentIndex: z.number().nullable().optional(),
    spentHeight: z.number().nullable().optional().meta({ description: '-1 if an unconfirmed transaction spends it.' }),
  })
  .meta({ id: 'Output' })

/** Interface 2.11. */
export const TransactionSummary = z.object({ ...summary, ...confirmation }).meta({ id: 'TransactionSummary' })
export type TransactionSummary = z.infer<typeof TransactionSummary>

export const InsightTransaction = z
  .object({ ...summary, vin: z.array(z.union([CoinbaseInput, SpendingInput])), vout: z.array(Output), ...confirmation })
  .meta({ id: 'Transaction' })
export type InsightTransaction = z.infer<typeof InsightTransaction>

export const Flag = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true')

/** Parts to omit from transactions. */
export const transactionOptions = { noAsm: Flag.optional(), noScriptSig: Flag.optional(), noSpent: Flag.optional() }

const TransactionList = z.object({ pagesTotal: z.number(), txs: z.array(InsightTransaction) }).meta({ id: 'TransactionList' })

export const transactions = {
  one: endpoint({
    method: 'GET',
    path: '/api/v1/tx/{hash}',
    summary: 'A transaction, confirmed or in the mempool.',
    access: can('btc:read'),
    // No pattern: an invalid hash gets Insight's error, not InvalidInput.
    params: z.object({ hash: z.string() }),
    status: 200,
    reply: InsightTransaction,
    problems: ['InvalidTransactionId', 'NotFound', 'NotReady', 'NodeUnavailable'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v1/txs',
    summary:
      'Transactions of a block of the best chain, in block order, or of an address, newest first; 10 per page, `pageNum` counts from 0. `block` takes precedence over `address`.',
    access: can('btc:read'),
    query: z.object({ block: z.string().optional(), address: z.string().optional(), pageNum: queryInteger(0, 1e14).optional() }),
    status: 200,
    reply: TransactionList,
    problems: ['MissingParameter', 'InvalidAddress', 'NotFollowed', 'NotFound', 'NotReady', 'NodeUnavailable'],
  }),
}
