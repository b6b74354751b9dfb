/** Why a request has no response. */
export type TransportFaultKind =
  /** No connection: nothing was sent. */
  | 'unreachable'
  /** The connection broke: what was sent may have had its effect. */
  | 'reset'
  | 'timeout'
  | 'too-large'
  /** What came is no response that HTTP/1.1 allows. */
  | 'malformed'
  /** By ourselves. */
  | 'aborted'

/** An upstream gave no response. Nothing of its address is in the message. */
export class TransportFault extends Error {
  override readonly name = 'TransportFault'

  constructor(
    readonly kind: TransportFaultKind,
    message: string,
  ) {
    super(message)
  }
}

export function unreachable(code = 'no reason given'): TransportFault {
  return new TransportFault('unreachable', `cannot be reached (${code})`)
}

/** By code only: the message of such an error may hold the address. */
export function reset(code = 'no reason given'): TransportFault {
  return new TransportFault('reset', `broke the connection (${code})`)
}

export function malformed(what: string): TransportFault {
  return new TransportFault('malformed', `sent ${what}`)
}

export function silent(ms: number): TransportFault {
  return new TransportFault('timeout', `sent nothing for ${ms} ms`)
}
