// Errors of the node. None contains a credential: they are logged and shown to callers.

/** The node cannot be reached, refuses our credentials, is not ready, or is not a node at all. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable'
}

/** The node refused a call. */
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

/** The node is on another chain than this deployment. */
export class NodeOnWrongNetwork extends Error {
  override readonly name = 'WrongNetwork'
}

/** The node sent a block that is not the requested one, or that breaks a rule of the chain. */
export class BadBlock extends Error {
  override readonly name = 'BadBlock'
}

/** The node has pruned a block that is still needed. */
export class NodePruned extends Error {
  override readonly name = 'NodePruned'
}

/** The node switched branches while it was read: start again at its tip. */
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
