import type { CatalogueService } from '@trestle/contracts/nodes/catalogue'

/** Services of one chain and network: what differs is their size and version. */
export interface Offer {
  readonly id: string
  readonly chain: string
  readonly network: string
  readonly services: readonly CatalogueService[]
}

/** What can be chosen, by chain; in the order of the catalogue. What an administrator has ended is not offered. */
export function offersOf(services: readonly CatalogueService[]): Offer[] {
  const offers = new Map<string, CatalogueService[]>()
  for (const service of services.filter(({ disabled }) => !disabled)) {
    const key = `${service.chain}/${service.network}`
    offers.set(key, [...(offers.get(key) ?? []), service])
  }
  return [...offers].flatMap(([id, all]) => (all[0] ? [{ id, chain: all[0].chain, network: all[0].network, services: all }] : []))
}

/** Why none of them can be made here. */
export function missingOf({ services }: Offer): string | undefined {
  return services.every(({ missing }) => missing !== null) ? (services[0]?.missing ?? undefined) : undefined
}

/** Sizes as machines have them: by 1024. */
export function mebibytes(size: number): string {
  const steps = ['MiB', 'GiB', 'TiB'] as const
  const step = size < 1024 ? 0 : size < 1024 ** 2 ? 1 : 2
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(size / 1024 ** step)} ${steps[step]}`
}
