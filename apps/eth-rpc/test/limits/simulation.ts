import { SpendingLedger, type Spent } from '../../src/limits/spending-ledger.js'

export interface Setting {
  readonly processes: number
  readonly perSecond: number
  /** Of each call, in compute units. */
  readonly cost: number
  /** The longest that a message is on its way. */
  readonly delayMs: number
  readonly seed: number
  /** `random`: each process is asked now and then, for a moment, a little or far too much. `storm`: all are, all the time. */
  readonly traffic: 'random' | 'storm'
  readonly seconds: number
}

const STEP_MS = 10
const TELL_STEPS = 10

interface Process {
  readonly ledger: SpendingLedger
  /** Calls a step, until it changes. */
  demand: number
  changesAt: number
}

/** The compute units let through by all processes together, by steps of 10 ms. */
export function admitted({ processes, perSecond, cost, delayMs, seed, traffic, seconds }: Setting): number[] {
  const random = generator(seed)
  const limits = { perSecond, perDay: Number.MAX_SAFE_INTEGER }
  const all = Array.from({ length: processes }, (): Process => ({ ledger: new SpendingLedger(), demand: 0, changesAt: 0 }))
  for (const { ledger } of all) ledger.share(processes, true)
  const underWay: { to: SpendingLedger; at: number; spent: Spent[] }[] = []
  const perStep = (perSecond / cost / 1000) * STEP_MS

  function change(process: Process, step: number): void {
    process.demand = traffic === 'storm' ? perStep * 3 : perStep * ([0, 0, 0.1, 0.5, 1, 5][Math.floor(random() * 6)] ?? 0)
    process.changesAt = step + 1 + Math.floor(random() * 300)
  }

  function ask(process: Process, now: number): number {
    const calls = Math.floor(process.demand + random())
    let units = 0
    for (let i = 0; i < calls && !process.ledger.take(1, limits, cost, now); i++) units += cost
    return units
  }

  function tell({ ledger }: Process, step: number): void {
    // Each process tells at its own times.
    const due = (step + all.findIndex((each) => each.ledger === ledger)) % TELL_STEPS === 0
    if (!due && !ledger.isUrgent(1)) return
    const spent = ledger.takeUnreported()
    for (const { ledger: to } of all) if (to !== ledger) underWay.push({ to, at: step * STEP_MS + random() * delayMs, spent })
  }

  return Array.from({ length: seconds * (1000 / STEP_MS) }, (_, step) => {
    const now = step * STEP_MS
    for (const message of underWay.splice(0)) {
      if (message.at <= now) message.to.debitOthers(message.spent, now)
      else underWay.push(message)
    }
    let units = 0
    for (const process of all) {
      if (step >= process.changesAt) change(process, step)
      units += ask(process, now)
    }
    for (const process of all) tell(process, step)
    return units
  })
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
