import { useQuery } from '@tanstack/react-query'
import type { Area } from '@trestle/contracts/areas'
import { CHAIN_FAMILIES } from '@trestle/contracts/chains/chains'
import { z } from 'zod'
import { consoleFetch } from './client.js'
import { healthOf } from './health.client.js'

const Discovered = z.array(z.object({ name: z.string(), family: z.enum(['bitcoin', 'evm']) }))

/** The chains that the platform says it serves in an area. */
export async function chainsOf(area: Area): Promise<readonly string[]> {
  const discovered = Discovered.parse(await (await consoleFetch('/api/chains')).json())
  return discovered.flatMap(({ name, family }) => (CHAIN_FAMILIES[family].app === area ? [name] : []))
}

/** The chains that an area serves here; those the platform does without are left out. */
export function useChains(area: Area) {
  return useQuery({
    queryKey: ['platform', 'chains', area],
    queryFn: async () => {
      const healths = await Promise.all((await chainsOf(area)).map((name) => healthOf({ name, basePath: `/${name}` })))
      return healths.filter(({ state }) => state !== 'absent')
    },
    staleTime: 60_000,
  })
}
