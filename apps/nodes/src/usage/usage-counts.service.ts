import { Injectable } from '@nestjs/common'
import type { Counted, Sums, WorkloadSums } from './sums.js'

interface Counting {
  readonly workload: Counted
  readonly methods: Map<string, { -readonly [K in keyof Sums]: number }>
}

/** Counts the calls of this process. Methods are those that may be called, `rest` and `other`: there are not many. */
@Injectable()
export class UsageCounts {
  #counting = new Map<string, Counting>()

  count(workload: Counted, method: string, { calls, errors, bytesOut }: Sums): void {
    const { methods } = this.#counting.get(workload.id) ?? this.begin(workload)
    const sums = methods.get(method)
    if (!sums) {
      methods.set(method, { calls, errors, bytesOut })
      return
    }
    sums.calls += calls
    sums.errors += errors
    sums.bytesOut += bytesOut
  }

  /** What was counted since the last time. */
  take(): WorkloadSums[] {
    const counted = this.#counting
    this.#counting = new Map()
    return [...counted.values()].map(({ workload, methods }) => ({
      workload,
      methods: [...methods].map(([method, sums]) => ({ method, ...sums })),
    }))
  }

  private begin({ id, userId }: Counted): Counting {
    const counting: Counting = { workload: { id, userId }, methods: new Map() }
    this.#counting.set(id, counting)
    return counting
  }
}
