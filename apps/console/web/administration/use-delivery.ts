import { useQueries } from '@tanstack/react-query'
import type { DeadLetter, OutboxState } from '@trestle/contracts/delivery'
import { platformClient } from '../platform/client.js'
import { SERVICES } from '../platform/health.client.js'
import { useHealth } from '../platform/use-health.js'
import { useSession } from '../platform/use-session.js'

/** A service's outbox and dead letters; empty for one that has not answered yet. */
export interface ServiceDelivery {
  readonly name: string
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
  const names = session?.manager ? services.flatMap(({ name, state }) => (state === 'up' || state === 'down' ? [name] : [])) : []
  return useQueries({
    queries: names.map((name) => ({ queryKey: [...DELIVERY, name], queryFn: () => deliveredBy(name), refetchInterval: 30_000 })),
    combine: (results) => names.map((name, index) => ({ name, ...results[index]?.data, error: results[index]?.error })),
  })
}

export function deliveryOf(service: string) {
  const app = SERVICES.find(({ name }) => name === service)?.app
  if (app === 'btc-connect') return platformClient.utxo(service).delivery
  if (app === 'eth-rpc') return platformClient.evm(service).delivery
  return platformClient[service as 'accounts' | 'nodes' | 'staking'].delivery
}

export function keyOfDelivery(service: string): readonly string[] {
  return [...DELIVERY, service]
}

async function deliveredBy(service: string): Promise<Omit<ServiceDelivery, 'name'>> {
  const { outbox, deadLetters } = deliveryOf(service)
  const [state, letters] = await Promise.all([outbox(), deadLetters({ query: { limit: MAX_LETTERS } })])
  return { outbox: state, letters }
}
