import { useQueries } from '@tanstack/react-query'
import { healthOf, SERVICES, type ServiceHealth } from './health.client.js'

/** Every service and its health, polled; without a state until the first answer. */
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
