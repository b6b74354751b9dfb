import { randomUUID } from 'node:crypto'
import type { Activity } from '@trestle/contracts/activity'
import type { ActivitySink } from '@trestle/runtime/activity'
import type { Clock } from '@trestle/runtime/clock'
import type { UsageReport, UsageRepository } from './usage.repository.js'
import { type Actor, UsageMeter } from './usage-meter.js'
import { type ReportBounds, rangeOf, retainedSince } from './usage-range.js'
import { type MethodSums, totalOf, type UsageKind } from './usage-sums.js'
import type { UsageWriter } from './usage-writer.js'

/** What is counted: a project, a workload. */
interface Metered<K> {
  /** The key of its rows. */
  readonly of: K
  readonly ownerId: string
  readonly organizationId: string
  /** The parameters of its route, as they may stand in an activity record. */
  readonly params: Readonly<Record<string, string>>
}

/** What was counted, and whose tokens were presented. */
interface Counted<N extends string> {
  readonly methods: readonly MethodSums<N>[]
  readonly actors: readonly Actor[]
}

/** The report that is asked for; times are in ISO 8601. */
interface ReportQuery {
  readonly from?: string
  readonly to?: string
}

interface UsageParts<K extends string | number, N extends string> {
  readonly kind: UsageKind<N>
  readonly repository: UsageRepository<K, N>
  readonly writer: UsageWriter<K, N>
  readonly sink: ActivitySink
  readonly clock: Clock
}

/** Counts calls, writes what was counted, and reports it. A crash loses what was not written yet. */
export class UsageService<K extends string | number, N extends string = never> {
  #counting: { readonly metered: Metered<K>; readonly meter: UsageMeter<N> }[] = []
  #recordedUntil: Date

  constructor(private readonly parts: UsageParts<K, N>) {
    this.#recordedUntil = parts.clock.now()
  }

  /** A project or workload may have several meters: their counts are added up. */
  meterOf(metered: Metered<K>): UsageMeter<N> {
    return new UsageMeter(this.parts.kind.table.none, (meter) => this.#counting.push({ metered, meter }))
  }

  /** Writes what was counted since the last time, and leaves an activity record for each project or workload. */
  async flush(): Promise<void> {
    const { sink, writer, clock } = this.parts
    const counting = this.#counting
    this.#counting = []
    const from = this.#recordedUntil
    const to = clock.now()
    this.#recordedUntil = to
    for (const { metered, meter } of counting) {
      const methods = meter.take()
      void sink.record(this.activityOf(metered, { methods, actors: meter.takeActors() }, { from, to }), 'batched')
      writer.add(metered.of, methods)
    }
    await writer.write()
  }

  async report(of: K, query: ReportQuery, bounds: ReportBounds) {
    const { from, to } = rangeOf(query, this.parts.clock.now(), bounds)
    const usage: UsageReport<N>[] = await this.parts.repository.list({ of, from, to, granularity: bounds.granularity })
    return { from: from.toISOString(), to: to.toISOString(), usage }
  }

  async removeExpired(): Promise<void> {
    await this.parts.repository.removeBefore(retainedSince(this.parts.clock.now()))
  }

  /** One record for all calls in a moment: a call is too short to have its own. */
  private activityOf(
    { ownerId, organizationId, params }: Metered<K>,
    { methods, actors }: Counted<N>,
    { from, to }: { from: Date; to: Date },
  ): Activity {
    const { table, service, route } = this.parts.kind
    const { latency: _, bytesOut, ...sums } = totalOf(table, methods)
    return {
      id: `event-${randomUUID()}`,
      user: ownerId,
      organization: organizationId,
      service,
      input: { method: 'POST', route, params, query: {} },
      output: { startTime: from.toISOString(), endTime: to.toISOString(), httpStatusCode: 200, bytesOut },
      serviceData: {
        ...sums,
        methods: Object.fromEntries(methods.map(({ method, calls }) => [method, calls])),
        ...(actors.length > 0 && { actors }),
      },
      createdAt: to.toISOString(),
    }
  }
}
