import { SpendingLedger, type SpendingReport } from '../../src/limits/spending-ledger.js'

/** `random`: each process is asked now and then, for a moment, a little or far too much. `storm`: all are, all the time. Of the others each is 1.5 times the limit. */
type LimitTraffic = 'random' | 'storm' | 'even' | 'skewed' | 'moving' | 'waves'

interface Setting {
  readonly processes: number
  readonly perSecond: number
  /** Of each call, in compute units. */
  readonly cost: number
  /** The longest that a message is on its way. */
  readonly delayMs: number
  readonly seed: number
  readonly traffic: LimitTraffic
  readonly seconds: number
  /** What a process that lies reports at each step; its own calls do not count. */
  readonly lie?: (random: () => number) => SpendingReport
}

interface SimulationFigures {
  /** The compute units let through by all processes together, by steps of 10 ms. */
  readonly admitted: readonly number[]
  /** All reports that were sent. */
  readonly reports: number
}

const STEP_MS = 10
const REPORT_STEPS = 10
const HEARTBEAT_STEPS = 100
/** How long the load stays at one process. */
const MOVE_STEPS = 100
/** Waves: a second of load, then as long nothing. */
const WAVE_STEPS = 100
const OVERLOAD = 1.5
const SKEW = 0.8

class SimulatedProcess {
  readonly ledger = new SpendingLedger()
  /** Calls a step, until it changes. */
  demand = 0
  changesAt = 0
  /** Of a call that is not whole yet. */
  private rest = 0
  private urgentAt = Number.POSITIVE_INFINITY

  constructor(
    readonly index: number,
    private readonly setting: Pick<Setting, 'perSecond' | 'cost'>,
  ) {
    this.limits = { perSecond: setting.perSecond, perDay: Number.POSITIVE_INFINITY }
  }

  private readonly limits: { readonly perSecond: number; readonly perDay: number }

  /** What is let through in one step. */
  ask(step: number, random: () => number): number {
    const { cost } = this.setting
    this.rest += this.demand
    const calls = Number.isInteger(this.demand) ? this.demand : Math.floor(this.rest + (random() - 0.5))
    this.rest -= calls
    let units = 0
    for (let call = 0; call < calls; call++) if (!this.ledger.take(1, this.limits, cost, step * STEP_MS)) units += cost
    if (this.ledger.isUrgent(1)) this.urgentAt = Math.min(this.urgentAt, step + 1)
    return units
  }

  /** Undefined where it is silent. */
  report(step: number): SpendingReport | undefined {
    const isDue = (step + this.index) % (REPORT_STEPS * this.ledger.reportEvery) === 0
    if (!isDue && step < this.urgentAt) return undefined
    this.urgentAt = Number.POSITIVE_INFINITY
    const report = this.ledger.takeUnreported(step * STEP_MS, (step + this.index) % HEARTBEAT_STEPS === 0)
    return report.spent.length + report.refused.length > 0 ? report : undefined
  }
}

/** Calls a step of one process, where the traffic says so. */
function demandOf({ traffic, perSecond, cost, processes }: Setting, index: number, step: number): number {
  const limit = (perSecond / cost / 1000) * STEP_MS
  const all = limit * OVERLOAD
  if (traffic === 'even' || processes === 1) return all / processes
  if (traffic === 'waves') return Math.floor(step / WAVE_STEPS) % 2 === 0 ? (2 * all) / processes : 0
  const hot = traffic === 'moving' ? Math.floor(step / MOVE_STEPS) % processes : 0
  return index === hot ? all * SKEW : (all * (1 - SKEW)) / (processes - 1)
}

/** Many processes under one limit, in virtual time. */
export function simulate(setting: Setting): SimulationFigures {
  const { processes, perSecond, cost, delayMs, seed, traffic, seconds, lie } = setting
  const random = generator(seed)
  const all = Array.from({ length: processes }, (_, index) => new SimulatedProcess(index, setting))
  for (const { ledger } of all) ledger.share(processes, true)
  const arriving = new Map<number, { to: SpendingLedger; report: SpendingReport }[]>()
  const perStep = (perSecond / cost / 1000) * STEP_MS
  let reports = 0

  function change(process: SimulatedProcess, step: number): void {
    if (traffic === 'storm') process.demand = Math.floor(perStep * 3 + random())
    else if (traffic !== 'random') process.demand = demandOf(setting, process.index, step)
    else if (step >= process.changesAt) {
      process.demand = perStep * ([0, 0, 0.1, 0.5, 1, 5][Math.floor(random() * 6)] ?? 0)
      process.changesAt = step + 1 + Math.floor(random() * 300)
    }
  }

  function send(from: SpendingLedger | undefined, report: SpendingReport, step: number): void {
    reports++
    for (const { ledger: to } of all) {
      if (to === from) continue
      const at = Math.ceil(step + 1 + (random() * delayMs) / STEP_MS)
      const messages = arriving.get(at) ?? []
      messages.push({ to, report })
      arriving.set(at, messages)
    }
  }

  const admitted = Array.from({ length: (seconds * 1000) / STEP_MS }, (_, step) => {
    for (const { to, report } of arriving.get(step) ?? []) to.debitOthers(report, step * STEP_MS)
    arriving.delete(step)
    let units = 0
    for (const process of all) {
      change(process, step)
      units += process.ask(step, random)
    }
    for (const process of all) {
      const report = process.report(step)
      if (report) send(process.ledger, report, step)
    }
    if (lie) send(undefined, lie(random), step)
    return units
  })
  return { admitted, reports }
}

/** The least and the most that was let through in so many seconds, from a moment on. */
export function extremes(admitted: readonly number[], seconds: number, fromSecond = 0): { min: number; max: number } {
  const steps = (seconds * 1000) / STEP_MS
  const from = (fromSecond * 1000) / STEP_MS
  let sum = 0
  let [min, max] = [Number.POSITIVE_INFINITY, 0]
  for (let step = from; step < admitted.length; step++) {
    sum += (admitted[step] ?? 0) - (step - steps >= from ? (admitted[step - steps] ?? 0) : 0)
    if (step - from + 1 >= steps) min = Math.min(min, sum)
    max = Math.max(max, sum)
  }
  return { min, max }
}

/** mulberry32: the same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
