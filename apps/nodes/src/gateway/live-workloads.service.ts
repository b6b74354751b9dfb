import { Injectable } from '@nestjs/common'
import { LiveRows } from '@trestle/database/live-rows'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { type Found, type Workload, WorkloadReader } from './workload-reader.service.js'

const ID = /^(?:node|cluster)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MISSING_MS = 1_000
const IDLE_MS = 600_000

/** The workloads that this process serves, in memory. */
@Injectable()
export class LiveWorkloads {
  readonly #rows: LiveRows<Found, string>

  constructor(reader: WorkloadReader, clock: Clock) {
    this.#rows = new LiveRows({
      clock,
      id: ID,
      read: (ids, held) => reader.read(ids, held),
      keyOf: (id) => id,
      missingMs: MISSING_MS,
      idleMs: IDLE_MS,
      busy: () => new Problem('unavailable', 'GatewayBusy', 'Too many nodes are looked up at the moment.', { headers: retryAfter(1) }),
    })
  }

  /** At once where it is known; rejects with a Problem where it cannot be known at the moment. */
  get(id: string): Workload | undefined | Promise<Workload | undefined> {
    const found = this.#rows.get(id)
    return found instanceof Promise ? found.then(workloadOf) : workloadOf(found)
  }

  /** Undefined also where it only has to be looked up. */
  known(id: string): Workload | undefined {
    return workloadOf(this.#rows.known(id))
  }

  /** It has changed: it is read before it is served again. */
  forget(id: string): void {
    this.#rows.forget(id, [id])
  }

  /** Reads everything that is held: for what was not heard of. */
  async readAgain(): Promise<void> {
    await this.#rows.readAgain()
  }
}

function workloadOf(found: Found | undefined): Workload | undefined {
  return found?.workload
}
