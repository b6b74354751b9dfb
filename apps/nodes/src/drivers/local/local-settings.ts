import type { DaemonName } from '../../catalogue/blueprint.js'
import type { NodesEnv } from '../../env.js'

export interface LocalSettings {
  readonly installation: string
  /** Where machines have their folders. */
  readonly dataDir: string
  /** The programs, where they are not on `path`. */
  readonly programs: Partial<Record<DaemonName, string>>
  /** Folders, with colons between. */
  readonly path: string
  /** Ports that the service gives to nodes itself: machines get none of these. */
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
