import { z } from 'zod'
import { endpoint } from '../endpoint.js'

/** Hex digits of the longest transaction that is taken: no node relays a standard one of 400,000 weight units or more. */
export const MAX_RAW_TRANSACTION_DIGITS = 1_000_000

export const sending = {
  send: endpoint({
    method: 'POST',
    path: '/api/v1/tx/send',
    summary: 'Give a signed transaction to the network. A refusal carries the reason and the code of the node.',
    access: 'client',
    body: z
      .object({ rawtx: z.string().meta({ description: 'The signed transaction in hex.', maxLength: MAX_RAW_TRANSACTION_DIGITS }) })
      .meta({ id: 'RawTransactionToSend' }),
    form: 'too',
    status: 200,
    reply: z.object({ txid: z.string() }).meta({ id: 'SentTransaction' }),
    problems: ['TransactionRefused', 'TransactionTooLarge', 'NodeUnavailable'],
  }),
}
