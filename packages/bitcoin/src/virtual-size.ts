import type { Transaction } from './transaction.js'

/** What a transaction takes of a block, in bytes that all count the same: BIP 141. Without a witness it is its size. */
export function virtualSize({ raw, ...transaction }: Stripped & Pick<Transaction, 'raw'>): number {
  return Math.ceil((3 * strippedSize(transaction) + raw.length) / 4)
}

type Stripped = Pick<Transaction, 'inputs' | 'outputs' | 'extraPayload'>

/** Without its witness. */
function strippedSize({ inputs, outputs, extraPayload }: Stripped): number {
  let size = VERSION + countSize(inputs.length) + countSize(outputs.length) + LOCK_TIME
  for (const { script } of inputs) size += OUTPOINT + fieldSize(script.length) + SEQUENCE
  for (const { script, tokenPrefix } of outputs) size += VALUE + fieldSize(script.length + (tokenPrefix?.length ?? 0))
  return size + (extraPayload ? fieldSize(extraPayload.length) : 0)
}

const VERSION = 4
const LOCK_TIME = 4
const OUTPOINT = 36
const SEQUENCE = 4
const VALUE = 8

function fieldSize(length: number): number {
  return countSize(length) + length
}

/** Of a number that says how much follows. */
function countSize(count: number): number {
  if (count < 0xfd) return 1
  return count <= 0xffff ? 3 : 5
}
