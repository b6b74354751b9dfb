import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { DriverUnavailable, NodeDriver } from '../drivers/driver.js'
import type { WorkloadKind } from '../workloads/workload.js'
import type { Blueprint } from './blueprint.js'

interface RecentAnswer {
  readonly until: number
  readonly missing: Promise<string | undefined>
}

const RECENT_MS = 30_000

/** Why machines of a kind cannot be made here, in a sentence; undefined if they can. */
@Injectable()
export class AvailabilityService {
  /** By service id. */
  private readonly recent = new Map<string, RecentAnswer>()

  constructor(
    private readonly driver: NodeDriver,
    private readonly clock: Clock,
  ) {}

  /** As of now, for a workload that is to be created. */
  async missing(blueprint: Blueprint, kind: WorkloadKind): Promise<string | undefined> {
    try {
      return this.unfitFor(blueprint, kind) ?? (await this.driver.missing(blueprint))
    } catch (error) {
      throw error instanceof DriverUnavailable ? new Problem('unavailable', 'DriverUnavailable', error.message) : error
    }
  }

  /** At most half a minute old, for lists: anybody may request those, and a driver may have to call its cloud. */
  recentlyMissing(blueprint: Blueprint, kind: WorkloadKind): Promise<string | undefined> {
    const misfit = this.unfitFor(blueprint, kind)
    if (misfit) return Promise.resolve(misfit)
    const now = this.clock.now().getTime()
    const known = this.recent.get(blueprint.serviceId)
    if (known && now < known.until) return known.missing
    const missing = this.driver.missing(blueprint).catch(messageOf)
    this.recent.set(blueprint.serviceId, { until: now + RECENT_MS, missing })
    return missing
  }

  private unfitFor(blueprint: Blueprint, kind: WorkloadKind): string | undefined {
    if (kind === 'node' || this.driver.canCluster(blueprint)) return undefined
    return `${blueprint.software} cannot form a cluster here.`
  }
}

function messageOf(error: unknown): string {
  if (error instanceof DriverUnavailable) return error.message
  throw error
}
