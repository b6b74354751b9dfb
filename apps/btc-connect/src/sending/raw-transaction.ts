import { MAX_RAW_TRANSACTION_DIGITS } from '@trestle/contracts/btc-connect/sending'
import { Problem } from '@trestle/problem/problem'

/** Accepts what may be a transaction; anything else is refused with the node's text, without a call. */
export function rawTransactionIn(text: string): string {
  if (text.length > MAX_RAW_TRANSACTION_DIGITS) {
    throw new Problem(
      'too-large',
      'TransactionTooLarge',
      `A transaction of more than ${MAX_RAW_TRANSACTION_DIGITS} hex digits is not relayed; pay with several transactions.`,
    )
  }
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw new Problem('invalid', 'TransactionRefused', 'TX decode failed. Code:-22')
  return text
}
