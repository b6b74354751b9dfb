import type { Transaction } from './transaction.js'

/** What a transaction takes of a block, in bytes that all count the same: BIP 141. Without a witness it is its size. */
export function virtualSize({ inputs, outputs, raw }: Pick<Transaction, 'inputs' | 'outputs' | 'raw'>): number {
  return Math.ceil((3 * strippedSize({ inputs, outputs }) + raw.length) / 4)
}

/** Without its witness. */
function strippedSize({ inputs, outputs }: Pick<Transaction, 'inputs' | 'outputs'>): number {
  let size = VERSION + countSize(inputs.length) + countSize(outputs.length) + LOCK_TIME
  for (const { script } of inputs) size += OUTPOINT + fieldSize(script.length) + SEQUENCE
  for (const { script, tokenPrefix } of outputs) size += VALUE + fieldSize(script.length + (tokenPrefix?.length ?? 0))
  return size
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
