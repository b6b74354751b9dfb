import type { BlockList } from 'node:net'
import { isIPv6 } from 'node:net'
import type { Caller } from '@trestle/contracts/caller'
import { addressesOf } from '@trestle/runtime/address-ranges'
import { LRUCache } from 'lru-cache'
import { addressNotAllowed, overKeyLimit } from './auth-problems.js'
import { ExpiringMap } from './expiring-map.engine.js'

const SECOND_MS = 1000
const DAY_MS = 24 * 3600 * SECOND_MS

interface Count {
  /** When the second or the day ends. */
  readonly until: number
  requests: number
}

/** Holds client keys to their own limits, which their tokens carry: counted in this process, since a shared count would cost each request a write (decision 32). */
export class KeyRestrictions {
  readonly #counts = new ExpiringMap<Count>(({ until }, now) => until <= now)
  readonly #ranges = new LRUCache<string, BlockList>({ max: 1000 })

  /** Problem `AddressNotAllowed` or `TooManyRequests`. */
  admit({ clientId = '', limits }: Caller, address: string, now: number): void {
    if (!limits) return
    const { perSecond, perDay, allowedIps } = limits
    if (allowedIps && !this.isAllowed(address, allowedIps)) throw addressNotAllowed()
    if (perSecond !== undefined) this.count(clientId, { max: perSecond, periodMs: SECOND_MS }, now)
    if (perDay !== undefined) this.count(clientId, { max: perDay, periodMs: DAY_MS }, now)
  }

  get size(): number {
    return this.#counts.size
  }

  private count(clientId: string, { max, periodMs }: { max: number; periodMs: number }, now: number): void {
    const key = `${periodMs} ${clientId}`
    const known = this.#counts.get(key)
    const current = known && known.until > now ? known : { until: (Math.floor(now / periodMs) + 1) * periodMs, requests: 0 }
    if (current.requests >= max) throw overKeyLimit(max, periodMs === DAY_MS ? 'day' : 'second', current.until - now)
    current.requests++
    this.#counts.set(key, current, now)
  }

  private isAllowed(address: string, allowedIps: readonly string[]): boolean {
    const key = allowedIps.join(' ')
    const ranges = this.#ranges.get(key) ?? addressesOf(allowedIps)
    this.#ranges.set(key, ranges)
    return ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}
