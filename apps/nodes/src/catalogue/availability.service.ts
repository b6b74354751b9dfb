import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { DriverUnavailable, NodeDriver } from '../drivers/driver.js'
import type { Blueprint } from './blueprint.js'

export type Purpose = 'node' | 'cluster'

interface Said {
  readonly until: number
  readonly missing: Promise<string | undefined>
}

const RECENT_MS = 30_000

/** What is missing here for machines of a kind, in a sentence; undefined: nothing. */
@Injectable()
export class AvailabilityService {
  /** By service: as many as the catalogue has. */
  private readonly recent = new Map<string, Said>()

  constructor(
    private readonly driver: NodeDriver,
    private readonly clock: Clock,
  ) {}

  /** At this moment, for what is to be made. */
  async missing(blueprint: Blueprint, purpose: Purpose): Promise<string | undefined> {
    try {
      return this.unfitFor(blueprint, purpose) ?? (await this.driver.missing(blueprint))
    } catch (error) {
      throw error instanceof DriverUnavailable ? new Problem('unavailable', 'DriverUnavailable', error.message) : error
    }
  }

  /** As it was at most half a minute ago, for lists: anybody may ask for those, and a driver may have to ask its cloud. */
  recentlyMissing(blueprint: Blueprint, purpose: Purpose): Promise<string | undefined> {
    const misfit = this.unfitFor(blueprint, purpose)
    if (misfit) return Promise.resolve(misfit)
    const now = this.clock.now().getTime()
    const known = this.recent.get(blueprint.serviceId)
    if (known && now < known.until) return known.missing
    const missing = this.driver.missing(blueprint).catch(tell)
    this.recent.set(blueprint.serviceId, { until: now + RECENT_MS, missing })
    return missing
  }

  private unfitFor(blueprint: Blueprint, purpose: Purpose): string | undefined {
    if (purpose === 'node' || this.driver.canCluster(blueprint)) return undefined
    return `Several of ${blueprint.software} cannot follow one chain here.`
  }
}

function tell(error: unknown): string {
  if (error instanceof DriverUnavailable) return error.message
  throw error
}
