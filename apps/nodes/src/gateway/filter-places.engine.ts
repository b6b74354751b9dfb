import { LRUCache } from 'lru-cache'
import type { AllowedCall } from './rpc-frame.js'

const MAX_FILTERS = 100_000
/** geth forgets a filter that is not polled for five minutes. */
const KEPT_MS = 600_000

interface Place {
  readonly workload: string
  readonly member: string
}

/** Which member of a cluster made which filter. An id is valid in its own workload only. */
export class FilterPlaces {
  readonly #places: LRUCache<string, { readonly member: string; until: number }>

  constructor(maxFilters = MAX_FILTERS) {
    this.#places = new LRUCache({ max: maxFilters })
  }

  /** The member that the first known filter of these calls lives in. */
  placeOf(workload: string, calls: readonly AllowedCall[], now: number): string | undefined {
    for (const { kind, params } of calls) {
      const id = kind === 'filter' && Array.isArray(params) ? (params[0] as unknown) : undefined
      const place = typeof id === 'string' ? this.#places.get(`${workload} ${id}`) : undefined
      if (!place || place.until < now) continue
      place.until = now + KEPT_MS
      return place.member
    }
    return undefined
  }

  /** Reads the ids from a member's answer. Other strings in it may look like one: they are never asked for. */
  remember({ workload, member }: Place, answer: Buffer, now: number): void {
    for (const { result } of answersOf(answer)) {
      if (typeof result === 'string' && result.length <= 100) this.#places.set(`${workload} ${result}`, { member, until: now + KEPT_MS })
    }
  }
}

function answersOf(body: Buffer): { result?: unknown }[] {
  try {
    const value: unknown = JSON.parse(body.toString())
    return [value].flat().filter((each): each is object => typeof each === 'object' && each !== null)
  } catch {
    return []
  }
}
