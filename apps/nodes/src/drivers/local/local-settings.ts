import type { DaemonName } from '../../catalogue/blueprint.js'
import type { NodesEnv } from '../../env.js'

export interface LocalSettings {
  readonly installation: string
  /** The folder of the machines' folders. */
  readonly dataDir: string
  /** Paths of programs that are not on `path`. */
  readonly programs: Partial<Record<DaemonName, string>>
  /** As in PATH. */
  readonly path: string
  /** The service listens on these itself, one a node; machines get none of them. */
  readonly nodePorts: readonly [number, number]
}

export function localSettings(env: NodesEnv): LocalSettings {
  return {
    installation: env.INSTALLATION,
    dataDir: env.DATA_DIR,
    programs: {
      bitcoind: env.BITCOIND,
      litecoind: env.LITECOIND,
      'bitcoin-cash-node': env.BITCOIN_CASH_NODE,
      anvil: env.ANVIL,
      geth: env.GETH,
    },
    path: env.PATH,
    nodePorts: env.NODE_PORTS,
  }
}
