import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import type { ServedChain } from './chain.js'

/** The ingress's description of a chain. */
export const ChainDescription = z
  .object({
    name: z.string(),
    title: z.string(),
    family: z.enum(['bitcoin', 'evm']),
    network: z.string().meta({ description: '`mainnet`, `testnet`, `regtest` ...; `private`: an EVM chain with its own id.' }),
    chainId: z.int().nullable().meta({ description: 'Of an EVM chain: EIP-155.' }),
    unit: z.string(),
    decimals: z.int(),
    blockSeconds: z.number(),
    explorer: z.string().nullable(),
    colour: z.string(),
    basePath: z.string(),
    url: z.string(),
  })
  .meta({ id: 'Chain' })
export type ChainDescription = z.infer<typeof ChainDescription>

export const chainDiscovery = {
  list: endpoint({
    method: 'GET',
    path: '/chains',
    summary: 'The chains this platform serves.',
    access: 'public',
    status: 200,
    reply: z.array(ChainDescription),
  }),
}

export function describeChain(chain: ServedChain, platformUrl: string): ChainDescription {
  const { name, title, family, network, unit, decimals, blockSeconds, explorer = null, colour } = chain
  const basePath = `/${name}`
  const chainId = chain.family === 'evm' ? chain.chainId : null
  return { name, title, family, network, chainId, unit, decimals, blockSeconds, explorer, colour, basePath, url: platformUrl + basePath }
}
