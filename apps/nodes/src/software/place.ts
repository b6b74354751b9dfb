import type { Blueprint } from '../catalogue/blueprint.js'

/** Where a program is put: on this computer, or in its container. */
export interface Place {
  readonly dataDir: string
  /** Where `configOf` is written, if it is anything; for nobody else to read. */
  readonly configFile: string
  /** What it listens on: loopback, or `0.0.0.0` behind a network policy. */
  readonly host: string
  readonly rpcPort: number
  /** Left out, nobody can connect to it as a peer. */
  readonly p2pPort?: number
  /** Of geth: the file with the secret that it shares with its consensus client. */
  readonly engineSecretFile?: string
}

/** Who calls a machine's program: the gateway, and the probe. */
export const MACHINE_USER = 'trestle'

/** A chain that begins with its machines, where blocks are made at will. */
export function isOwnChain({ network }: Pick<Blueprint, 'network'>): boolean {
  return network === 'regtest' || network === 'dev'
}
