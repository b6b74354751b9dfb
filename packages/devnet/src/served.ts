import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EvmChain, ServedChain } from '@trestle/contracts/chains/chain'
import { type ChainsConfiguration, servedChains } from '@trestle/contracts/chains/configuration'

/** The chain id that a devnet's nodes of a chain have: the chain's own, but for one that everybody's tools take for another. */
export function devnetChainId({ devnet, chainId }: EvmChain): number {
  return devnet?.chainId ?? chainId
}

/** What the processes of a devnet are told of its chains: none of them is the chain that the world knows. */
export function devnetChainsEnv(configuration: ChainsConfiguration, dataDir: string): Record<string, string> {
  const { file } = configuration
  const names = servedChains(configuration).map(itemOf).join(',')
  if (file === undefined) return { TRESTLE_CHAINS: names }
  const path = join(dataDir, 'chains.yaml')
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(path, file)
  return { TRESTLE_CHAINS: names, TRESTLE_CHAINS_FILE: path }
}

function itemOf(chain: ServedChain): string {
  return `${chain.name}:${chain.family === 'bitcoin' ? 'regtest' : devnetChainId(chain)}`
}
