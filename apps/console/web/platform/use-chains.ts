import { useQuery } from '@tanstack/react-query'
import type { Area } from '@trestle/contracts/areas'
import { healthOf, SERVICES } from './health.js'

/** The chains that an area serves here; those the platform does without are left out. */
export function useChains(area: Area) {
  return useQuery({
    queryKey: ['platform', 'chains', area],
    queryFn: async () => {
      const healths = await Promise.all(SERVICES.filter(({ app }) => app === area).map(healthOf))
      return healths.filter(({ state }) => state !== 'absent')
    },
    staleTime: 60_000,
  })
}
