export type NodeEvent = 'block' | 'transaction'

/** What a message of the node's publisher is about (bitcoin/doc/zmq.md). */
export function eventOf([topic, body]: readonly Buffer[]): NodeEvent | undefined {
  switch (topic?.toString('latin1')) {
    case 'hashblock':
      return 'block'
    case 'hashtx':
      return 'transaction'
    case 'sequence':
      // A hash, then C and D for a block that came or went, A and R for a transaction of the mempool.
      return 'CD'.includes(String.fromCharCode(body?.[32] ?? 0)) ? 'block' : 'transaction'
    default:
      return undefined
  }
}
