import { sha256d } from './hash.js'
import { MalformedData } from './malformed.js'
import { merkleRootOf } from './merkle.js'
import type { Transaction } from './transaction.js'

// BIP 141: an output of the coinbase commits to the witnesses, which the header's merkle root leaves out.
const COMMITMENT = Buffer.from('6a24aa21a9ed', 'hex')
const COMMITMENT_LENGTH = 38
const HASH_LENGTH = 32
const NO_HASH = Buffer.alloc(HASH_LENGTH)
const LOCK_TIME_LENGTH = 4

/** Throws unless the witnesses of a block are those that its coinbase commits to. */
export function checkWitnesses([coinbase, ...others]: readonly Transaction[]): void {
  if (!coinbase || ![coinbase, ...others].some(hasWitness)) return
  const root = merkleRootOf([NO_HASH, ...others.map(wtxidOf)]).reverse()
  // The bytes that the coinbase's only witness adds to the commitment, for rules to come.
  const reserved = hasWitness(coinbase) ? coinbase.raw.subarray(-LOCK_TIME_LENGTH - HASH_LENGTH, -LOCK_TIME_LENGTH) : NO_HASH
  if (!commitmentOf(coinbase)?.equals(sha256d(Buffer.concat([root, reserved]))))
    throw new MalformedData('The witnesses are not those of the coinbase.')
}

/** The last one counts. */
function commitmentOf({ outputs }: Transaction): Buffer | undefined {
  const found = outputs.findLast(
    ({ script }) => script.length >= COMMITMENT_LENGTH && script.subarray(0, COMMITMENT.length).equals(COMMITMENT),
  )
  return found?.script.subarray(COMMITMENT.length, COMMITMENT_LENGTH)
}

/** In display order; without a witness it is the txid. */
function wtxidOf(transaction: Transaction): Buffer {
  return hasWitness(transaction) ? sha256d(transaction.raw).reverse() : transaction.txid
}

/** BIP 144: a zero stands where the number of inputs would, which is never zero. */
function hasWitness({ raw }: Transaction): boolean {
  return raw[4] === 0
}
