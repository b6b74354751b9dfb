import { useQueries } from '@tanstack/react-query'
import type { DeadLetter, OutboxState } from '@trestle/contracts/delivery'
import { platformClient } from '../platform/client.js'
import type { PlatformService } from '../platform/health.client.js'
import { useHealth } from '../platform/use-health.js'
import { useSession } from '../platform/use-session.js'

/** A service's outbox and dead letters; empty for one that has not answered yet. */
export interface ServiceDelivery extends PlatformService {
  readonly outbox?: OutboxState
  readonly letters?: readonly DeadLetter[]
  readonly error?: unknown
}

export const DELIVERY = ['administration', 'delivery']
const MAX_LETTERS = '50'

/** Every deployed service, polled for administrators; empty for other users. */
export function useDelivery(): readonly ServiceDelivery[] {
  const { data: session } = useSession()
  const services = useHealth()
  const deployed = session?.manager ? services.filter(({ state }) => state === 'up' || state === 'down') : []
  return useQueries({
    queries: deployed.map((service) => ({
      queryKey: keyOfDelivery(service.name),
      queryFn: () => deliveredBy(service),
      refetchInterval: 30_000,
    })),
    combine: (results) => deployed.map((service, index) => ({ ...service, ...results[index]?.data, error: results[index]?.error })),
  })
}

export function deliveryOf({ name, app }: Pick<PlatformService, 'name' | 'app'>) {
  if (app === 'btc-connect') return platformClient.utxo(name).delivery
  if (app === 'eth-rpc') return platformClient.evm(name).delivery
  return platformClient[app].delivery
}

export function keyOfDelivery(service: string): readonly string[] {
  return [...DELIVERY, service]
}

async function deliveredBy(service: PlatformService): Promise<Pick<ServiceDelivery, 'outbox' | 'letters'>> {
  const { outbox, deadLetters } = deliveryOf(service)
  const [state, letters] = await Promise.all([outbox(), deadLetters({ query: { limit: MAX_LETTERS } })])
  return { outbox: state, letters }
}
