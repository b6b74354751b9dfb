import { Problem, retryAfter } from '@trestle/problem/problem'

/** A confirmed transaction whose bytes are not stored here. */
export interface MissingTransaction {
  readonly txid: Buffer
  readonly blockHash: Buffer
  readonly height: number
}

/** Thrown by a read that needs these bytes from the node; a caller that cannot fetch them lets it become the response. */
export class RawTransactionsMissing extends Problem {
  constructor(readonly wanted: readonly MissingTransaction[]) {
    super('unavailable', 'NodeUnavailable', 'The chain is changing at the moment; try again.', { headers: retryAfter(1) })
  }
}
