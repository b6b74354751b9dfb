import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'

/** Hex digits of the largest transaction accepted: no node relays one of 400,000 weight units or more. */
export const MAX_RAW_TRANSACTION_DIGITS = 1_000_000

export const sending = {
  send: endpoint({
    method: 'POST',
    path: '/api/v1/tx/send',
    summary: 'Broadcast a signed transaction. A refusal has the reason and code of the node.',
    access: can('btc:send'),
    body: z
      .object({ rawtx: z.string().meta({ description: 'The signed transaction in hex.', maxLength: MAX_RAW_TRANSACTION_DIGITS }) })
      .meta({ id: 'RawTransactionToSend' }),
    form: 'too',
    status: 200,
    reply: z.object({ txid: z.string() }).meta({ id: 'SentTransaction' }),
    problems: ['TransactionRefused', 'TransactionTooLarge', 'NodeUnavailable'],
  }),
}
