import type { BitcoinFormat } from '@trestle/contracts/chains/chain'
import type { ByteReader } from './byte-reader.js'
import { readTransaction } from './transaction.js'

/** The bit of a block's version that says that the work was done for a block of another chain. */
const VERSION_BIT = 0x100
const HASH_LENGTH = 32
const INDEX_LENGTH = 4
const HEADER_LENGTH = 80
// The parent may be a chain with witnesses.
const PARENT: BitcoinFormat = { witness: true, blockHash: 'sha256d' }

export function hasAuxPow(version: number): boolean {
  return (version & VERSION_BIT) !== 0
}

/**
 * Passes over the proof of merged mining between a header and its transactions: the parent's coinbase, its block's hash, the branches
 * that lead from it and from this block to their roots, and the parent's header. That the work was done is for the node to check.
 */
export function skipAuxPow(cursor: ByteReader): void {
  readTransaction(cursor, PARENT, 'block')
  cursor.skip(HASH_LENGTH)
  for (const _ of ['coinbase', 'chain']) {
    cursor.skip(cursor.count(HASH_LENGTH) * HASH_LENGTH)
    cursor.skip(INDEX_LENGTH)
  }
  cursor.skip(HEADER_LENGTH)
}
