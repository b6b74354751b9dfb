import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import type { ServedChain } from './chain.js'

/** What the ingress says of each chain that it leads to. */
export const ChainDescription = z
  .object({
    name: z.string(),
    title: z.string(),
    family: z.enum(['bitcoin', 'evm']),
    network: z.string().meta({ description: '`mainnet`, `testnet`, `regtest` ...; `private`: an EVM chain of an id of its own.' }),
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
    summary: 'The chains that this platform serves.',
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
