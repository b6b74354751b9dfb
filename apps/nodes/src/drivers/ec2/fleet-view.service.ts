import type { Ec2Calls } from './ec2.client.js'
import type { Fleet } from './fleet.js'

/** What there is of all machines, described at once for all who want to know within some seconds: Amazon answers only so many questions. */
export class FleetView {
  private last?: { readonly begunAt: number; readonly fleets: Promise<ReadonlyMap<string, Fleet>> }
  private readonly changedAt = new Map<string, number>()

  constructor(
    private readonly calls: Pick<Ec2Calls, 'fleetOf' | 'fleets'>,
    private readonly ageMs: number,
  ) {}

  all(): Promise<ReadonlyMap<string, Fleet>> {
    return this.recent().fleets
  }

  /** As it is after our last change of it. That there is nothing is believed only when just that is asked. */
  async of(id: string): Promise<Fleet> {
    const { begunAt, fleets } = this.recent()
    const isOlder = begunAt <= (this.changedAt.get(id) ?? Number.NEGATIVE_INFINITY)
    return (isOlder ? undefined : (await fleets).get(id)) ?? this.calls.fleetOf(id)
  }

  /** Whatever was described before this is of no use for it. */
  async changing(id: string, change: () => Promise<void>): Promise<void> {
    await change().finally(() => this.changedAt.set(id, performance.now()))
  }

  private recent() {
    const now = performance.now()
    if (this.last && now - this.last.begunAt < this.ageMs) return this.last
    const next = { begunAt: now, fleets: this.calls.fleets() }
    next.fleets.catch(() => {
      if (this.last === next) this.last = undefined
    })
    for (const [id, at] of this.changedAt) if (at < now - this.ageMs) this.changedAt.delete(id)
    this.last = next
    return next
  }
}
