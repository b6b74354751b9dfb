import type { Deployment } from '@trestle/contracts/areas'
import { messageOf } from '@trestle/problem/thrown'
import { findAnvil } from './anvil.js'

interface EthereumPlan {
  /** Of the gateway. */
  readonly deployments: readonly string[]
  /** Whether there is a chain of validators. */
  readonly staking: boolean
  /** The anvil they run on. */
  readonly command: string
  /** What a person should know. */
  readonly notes: readonly string[]
}

/** Looks for the program of these deployments' nodes. Where there is none they are left out, and a note says so. */
export function planEthereum(deployments: readonly Deployment[], find: () => string = findAnvil): EthereumPlan {
  const wanting = deployments.filter(needsAnvil)
  const nothing = { deployments: [], staking: false, command: '', notes: [] }
  if (wanting.length === 0) return nothing
  try {
    const gateways = wanting.filter(({ app }) => app === 'eth-rpc').map(({ name }) => name)
    return { deployments: gateways, staking: gateways.length < wanting.length, command: find(), notes: [] }
  } catch (error) {
    const paths = wanting.map(({ name }) => `/${name}`).join(', ')
    return { ...nothing, notes: [`${paths} ${wanting.length > 1 ? 'are' : 'is'} left out. ${messageOf(error)}`] }
  }
}

export function needsAnvil({ app }: Deployment): boolean {
  return app === 'eth-rpc' || app === 'staking'
}
