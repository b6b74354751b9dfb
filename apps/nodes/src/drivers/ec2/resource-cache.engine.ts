import type { Ec2Client } from './ec2.client.js'
import type { MachineResources } from './machine-resources.js'

/** The resources of all machines, described in one request and shared for some seconds, for EC2 limits the rate of requests. */
export class ResourceCache {
  private last?: { readonly begunAt: number; readonly resources: Promise<ReadonlyMap<string, MachineResources>> }
  private readonly changedAt = new Map<string, number>()

  constructor(
    private readonly client: Pick<Ec2Client, 'resourcesOf' | 'allResources'>,
    private readonly ageMs: number,
  ) {}

  all(): Promise<ReadonlyMap<string, MachineResources>> {
    return this.recent().resources
  }

  /** Never older than our last change of it. Only a request for this machine is believed when it finds nothing. */
  async of(id: string): Promise<MachineResources> {
    const { begunAt, resources } = this.recent()
    const isOlder = begunAt <= (this.changedAt.get(id) ?? Number.NEGATIVE_INFINITY)
    return (isOlder ? undefined : (await resources).get(id)) ?? this.client.resourcesOf(id)
  }

  /** What was described before the change is not used for this machine any more. */
  async changing(id: string, change: () => Promise<void>): Promise<void> {
    await change().finally(() => this.changedAt.set(id, performance.now()))
  }

  private recent() {
    const now = performance.now()
    if (this.last && now - this.last.begunAt < this.ageMs) return this.last
    const next = { begunAt: now, resources: this.client.allResources() }
    next.resources.catch(() => {
      if (this.last === next) this.last = undefined
    })
    for (const [id, at] of this.changedAt) if (at < now - this.ageMs) this.changedAt.delete(id)
    this.last = next
    return next
  }
}
