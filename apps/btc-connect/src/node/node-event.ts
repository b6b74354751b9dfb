export type NodeEvent = 'block' | 'transaction'

/** The event that a message of the node's publisher announces (bitcoin/doc/zmq.md). */
export function eventOf([topic, body]: readonly Buffer[]): NodeEvent | undefined {
  switch (topic?.toString('latin1')) {
    case 'hashblock':
      return 'block'
    case 'hashtx':
      return 'transaction'
    case 'sequence':
      // A hash, then C or D for a connected or disconnected block, A or R for an added or removed transaction.
      return 'CD'.includes(String.fromCharCode(body?.[32] ?? 0)) ? 'block' : 'transaction'
    default:
      return undefined
  }
}
