import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Peers } from './peers.js'
import { type ComputeUnitLimits, type LimitRefusal, SpendingLedger, type SpendingReport } from './spending-ledger.js'

/** The limits of a project. */
interface Limited {
  readonly serial: number
  readonly limits: ComputeUnitLimits
}

/** Holds the calls of a project against its limits, over all processes of all replicas. */
@Injectable()
export class LimitsService {
  readonly #ledger = new SpendingLedger()
  readonly #peers = new Peers()
  #onUrgent = () => {}

  constructor(private readonly clock: Clock) {}

  /** Lets a call through, or returns why not; from memory. */
  take({ serial, limits }: Limited, computeUnits: number): LimitRefusal | undefined {
    const refusal = this.#ledger.take(serial, limits, computeUnits, this.now())
    if (!refusal && this.#ledger.isUrgent(serial)) this.#onUrgent()
    return refusal
  }

  /** What a project has spent today by the database. */
  learnSpent({ serial, limits }: Limited, spentToday: number): void {
    this.#ledger.learnSpent(serial, limits, spentToday, this.now())
  }

  /** When the other processes should get a report soon. */
  onUrgent(listener: () => void): void {
    this.#onUrgent = listener
  }

  /** Every how many times a process reports that may do so. */
  get reportEvery(): number {
    return this.#ledger.reportEvery
  }

  /** What was let through and refused since the last time; what is little only where all of it is wanted. */
  takeUnreported(isAll: boolean): SpendingReport {
    return this.#ledger.takeUnreported(this.now(), isAll)
  }

  /** What another process has let through and refused. */
  debitOthers(process: string, report: SpendingReport): void {
    this.#peers.hear(process, this.now())
    this.#ledger.debitOthers(report, this.now())
  }

  /** Shares the limits among the processes. */
  share(isConnected: boolean): void {
    const now = this.now()
    if (isConnected) this.#peers.forgetSilent(now)
    else this.#peers.keepAll(now)
    this.#ledger.share(this.#peers.count(), isConnected)
    this.#ledger.forgetIdle(now)
  }

  private now(): number {
    return this.clock.now().getTime()
  }
}
