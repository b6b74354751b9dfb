/** An output of a transaction. */
export interface Outpoint {
  readonly txid: Buffer
  readonly vout: number
}

/** The key of an outpoint in a map. */
export function outpointKey({ txid, vout }: Outpoint): string {
  return `${txid.toString('hex')}:${vout}`
}
