import type { Blueprint } from '../catalogue/blueprint.js'

/** Where a program runs: its paths and addresses on the host or in the container. */
export interface ProgramSetup {
  readonly dataDir: string
  /** Where the text of `configOf` is written, if there is any; readable for the program only. */
  readonly configFile: string
  /** The address it listens on: loopback, or `0.0.0.0` behind a network policy. */
  readonly host: string
  readonly rpcPort: number
  /** Left out, it accepts no peers. */
  readonly p2pPort?: number
  /** geth only: the file with the secret that it shares with its consensus client. */
  readonly engineSecretFile?: string
}

/** The user name of the gateway and the probe at a machine's program. */
export const MACHINE_USER = 'trestle'

/** A chain that exists only on its machines, where blocks are made on demand. */
export function isPrivateChain({ network }: Pick<Blueprint, 'network'>): boolean {
  return network === 'regtest' || network === 'dev'
}
