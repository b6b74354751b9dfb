import { useQueries } from '@tanstack/react-query'
import { healthOf, SERVICES, type ServiceHealth } from './health.client.js'

/** Every service and how it is, looked at again and again; what is not known yet has no state. */
export function useHealth(): readonly (Partial<ServiceHealth> & Pick<ServiceHealth, 'name'>)[] {
  return useQueries({
    queries: SERVICES.map((service) => ({
      queryKey: ['platform', 'health', service.name],
      queryFn: () => healthOf(service),
      refetchInterval: 10_000,
    })),
    combine: (results) => SERVICES.map(({ name }, index) => ({ name, ...results[index]?.data })),
  })
}
