import type { Deployment } from '@trestle/contracts/areas'
import { findAnvil } from './anvil.js'
import type { EthereumDeployment } from './ethereum-chain.js'

export interface EthereumPlan {
  readonly deployments: readonly EthereumDeployment[]
  /** The anvil they run on. */
  readonly command: string
  /** What a person should know. */
  readonly notes: readonly string[]
}

/** The app whose deployments want nodes of Ethereum's family. */
const APP = 'eth-rpc'

/** Looks for the program of these deployments' nodes. Where there is none they are left out, and a note says so. */
export function planEthereum(deployments: readonly Deployment[], find: () => string = findAnvil): EthereumPlan {
  const names = deployments.filter(needsAnvil).map(({ name }) => name as EthereumDeployment)
  if (names.length === 0) return { deployments: [], command: '', notes: [] }
  try {
    return { deployments: names, command: find(), notes: [] }
  } catch (error) {
    const paths = names.map((name) => `/${name}`).join(' and ')
    return { deployments: [], command: '', notes: [`${paths} ${names.length > 1 ? 'are' : 'is'} left out. ${(error as Error).message}`] }
  }
}

export function needsAnvil({ app }: Deployment): boolean {
  return app === APP
}
