// What can be wrong with the node or with what it says. None of these carries a credential: they are logged and told.

/** It cannot be reached, does not let us in, is not ready, or what answers is no node. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable'
}

/** It understood, and said no. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'

  constructor(
    /** The node's own error code; 404 where its REST interface found nothing. */
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** It follows another chain than this deployment serves. */
export class NodeOnWrongNetwork extends Error {
  override readonly name = 'WrongNetwork'
}

/** It gave a block that is not the one asked for, or that breaks a rule of the chain. */
export class BadBlock extends Error {
  override readonly name = 'BadBlock'
}

/** It has thrown away a block that is still needed. */
export class NodePruned extends Error {
  override readonly name = 'NodePruned'
}

/** It went to another branch while we read: look at its tip and begin again. */
export class ChainMoved extends Error {
  override readonly name = 'ChainMoved'
}

// bitcoin/src/rpc/protocol.h
export const RPC = {
  miscError: -1,
  invalidAddressOrKey: -5,
  invalidParameter: -8,
  inWarmup: -28,
  methodNotFound: -32601,
} as const
