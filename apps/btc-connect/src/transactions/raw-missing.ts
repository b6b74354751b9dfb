import { Problem, retryAfter } from '@trestle/problem/problem'

/** A transaction of a block, whose bytes are wanted. */
export interface MissingTransaction {
  readonly txid: Buffer
  readonly blockHash: Buffer
  readonly height: number
}

/** Tells a read which bytes it needs from the node before it can be repeated; whoever cannot fetch them passes it on as the refusal it is. */
export class RawTransactionsMissing extends Problem {
  constructor(readonly wanted: readonly MissingTransaction[]) {
    super('unavailable', 'NodeUnavailable', 'The chain is moving; try again.', { headers: retryAfter(1) })
  }
}
