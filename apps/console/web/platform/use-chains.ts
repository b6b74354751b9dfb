import { useQuery } from '@tanstack/react-query'
import type { Area } from '@trestle/contracts/areas'
import { CHAIN_FAMILIES, chainNamed } from '@trestle/contracts/chains/chains'
import { z } from 'zod'
import { consoleFetch } from './client.js'
import { healthOf } from './health.client.js'

const Chains = z.array(
  z.object({ name: z.string(), title: z.string(), family: z.enum(['bitcoin', 'evm']), unit: z.string(), decimals: z.int() }),
)
export type PageChain = z.output<typeof Chains>[number]

export const SERVED_CHAINS = ['platform', 'served chains']

/** Every chain that the platform serves, also those without a record. */
export function useServedChains(): readonly PageChain[] {
  const { data = [] } = useQuery({ queryKey: SERVED_CHAINS, queryFn: fetchChains, initialData: chainsInPage, staleTime: 300_000 })
  return data
}

/** What a chain is called, and how its amounts are written; by its record where it is not served. */
export function useChain(name: string): Pick<PageChain, 'title' | 'unit' | 'decimals'> {
  const served = useServedChains().find((chain) => chain.name === name)
  return served ?? chainNamed(name) ?? { title: name, unit: name.toUpperCase(), decimals: 18 }
}

/** The chains that the platform serves in an area. */
export async function chainsOf(area: Area): Promise<readonly PageChain[]> {
  const chains = chainsInPage() ?? (await fetchChains())
  return chains.filter(({ family }) => CHAIN_FAMILIES[family].app === area)
}

/** The chains that an area serves here, with their health; those the platform does without are left out. */
export function useChains(area: Area) {
  return useQuery({
    queryKey: ['platform', 'chains', area],
    queryFn: async () => {
      const asked = (await chainsOf(area)).map(async (chain) => ({
        ...chain,
        ...(await healthOf({ ...chain, basePath: `/${chain.name}` })),
      }))
      return (await Promise.all(asked)).filter(({ state }) => state !== 'absent')
    },
    staleTime: 60_000,
  })
}

/** What the server wrote into the page; Vite writes nothing. */
function chainsInPage(): readonly PageChain[] | undefined {
  const written = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="chains"]')?.content
  return written?.startsWith('[') ? Chains.parse(JSON.parse(written)) : undefined
}

async function fetchChains(): Promise<readonly PageChain[]> {
  return Chains.parse(await (await consoleFetch('/api/chains')).json())
}
