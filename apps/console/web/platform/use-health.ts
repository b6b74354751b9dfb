import { useQueries } from '@tanstack/react-query'
import { healthOf, type PlatformService, type ServiceHealth, servicesOf } from './health.client.js'
import { useServedChains } from './use-chains.js'

export type KnownService = PlatformService & Partial<ServiceHealth>

export function usePlatformServices(): readonly PlatformService[] {
  return servicesOf(useServedChains())
}

/** Every service and its health, polled; without a state until the first answer. */
export function useHealth(): readonly KnownService[] {
  const services = usePlatformServices()
  return useQueries({
    queries: services.map((service) => ({
      queryKey: ['platform', 'health', service.name],
      queryFn: () => healthOf(service),
      refetchInterval: 10_000,
    })),
    combine: (results) => services.map((service, index) => ({ ...service, ...results[index]?.data })),
  })
}
