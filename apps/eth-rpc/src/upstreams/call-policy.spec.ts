import fc from 'fast-check'
import {
  type ActionKind,
  type CallAction,
  type CallEvent,
  type CallState,
  type CallTerms,
  decide,
  type EventKind,
  INITIAL_STATE,
  MAX_ATTEMPTS,
  type ReplyVerdict,
} from './call-policy.js'
import type { UpstreamFaultKind } from './upstream-fault.js'

const TERMS: CallTerms = { isIdempotent: true, startedAt: 0, timeoutMs: 10_000 }
const ONE_ASKED: CallState = { ...INITIAL_STATE, attempts: 1, inFlight: 1 }
const TWO_ASKED: CallState = { ...INITIAL_STATE, attempts: 2, inFlight: 2 }

describe(decide, () => {
  it('asks an upstream when it starts', () => {
    expect(actions(INITIAL_STATE, { kind: 'started' })).toEqual([{ kind: 'ask', again: false }])
  })

  it.each([
    [10, 100],
    [150, 150],
    [9_000, 2_000],
  ])('hedges an upstream that usually takes %i ms after %i ms', (p95Ms, afterMs) => {
    expect(actions(INITIAL_STATE, { kind: 'asked', p95Ms })).toEqual([{ kind: 'wake', afterMs }])
  })

  it('hedges a second time only when any upstream would count as slow', () => {
    expect(actions({ ...ONE_ASKED, isHedged: true }, { kind: 'asked', p95Ms: 10 })).toEqual([{ kind: 'wake', afterMs: 2_000 }])
  })

  it('does not hedge what may have an effect, nor the last attempt', () => {
    expect(actions(INITIAL_STATE, { kind: 'asked', p95Ms: 10 }, { ...TERMS, isIdempotent: false })).toEqual([])
    expect(actions(TWO_ASKED, { kind: 'asked', p95Ms: 10 })).toEqual([])
  })

  it('looks for another upstream to hedge with, again and again', () => {
    expect(actions(ONE_ASKED, { kind: 'woke', now: 100 })).toEqual([{ kind: 'hedge' }])
    expect(actions(ONE_ASKED, { kind: 'unhedged' })).toEqual([{ kind: 'wake', afterMs: 100 }])
  })

  it.each<[ReplyVerdict, CallAction[]]>([
    ['result', [{ kind: 'answer', use: 'reply' }]],
    ['final-error', [{ kind: 'answer', use: 'reply' }]],
    ['own-error', [{ kind: 'keep' }, { kind: 'ask', again: false }]],
    ['null', [{ kind: 'keep' }, { kind: 'ask', again: false }]],
    ['unusable', [{ kind: 'ask', again: false }]],
  ])('handles a reply that is %s', (verdict, expected) => {
    expect(actions(ONE_ASKED, { kind: 'replied', verdict, now: 5 })).toEqual(expected)
  })

  it('accepts a null where another upstream refuses the call', () => {
    const state: CallState = { ...ONE_ASKED, fallback: 'null' }
    expect(actions(state, { kind: 'replied', verdict: 'final-error', now: 5 })).toEqual([{ kind: 'answer', use: 'fallback' }])
  })

  it('keeps the first error, and a null rather than an error', () => {
    const state: CallState = { ...TWO_ASKED, fallback: 'error' }
    expect(actions(state, { kind: 'replied', verdict: 'own-error', now: 5 })).toEqual([{ kind: 'ask', again: false }])
    expect(actions(state, { kind: 'replied', verdict: 'null', now: 5 })[0]).toEqual({ kind: 'keep' })
  })

  it('gives the others a second after a null, then accepts it', () => {
    const state: CallState = { ...TWO_ASKED, attempts: 3, fallback: 'null' }
    expect(actions(state, { kind: 'unavailable', hasOthers: true, now: 5 })).toEqual([{ kind: 'wake', afterMs: 1_000 }])
    expect(actions(state, { kind: 'woke', now: 1_000 })).toEqual([{ kind: 'fallBack' }])
    expect(actions({ ...state, attempts: 2 }, { kind: 'unhedged' })).toEqual([{ kind: 'fallBack' }])
  })

  it('calls the same upstream again only where its connection broke', () => {
    expect(actions(ONE_ASKED, { kind: 'failed', fault: 'reset', now: 5 })).toEqual([{ kind: 'ask', again: true }])
    expect(actions(ONE_ASKED, { kind: 'failed', fault: 'malformed', now: 5 })).toEqual([{ kind: 'ask', again: false }])
  })

  it('waits at most two seconds for a block that no upstream has yet', () => {
    const unavailable = (now: number) => actions(INITIAL_STATE, { kind: 'unavailable', hasOthers: true, now })
    expect(unavailable(1_900)).toEqual([{ kind: 'wake', afterMs: 20 }])
    expect(unavailable(2_000)).toEqual([{ kind: 'fail', failure: 'unavailable' }])
  })

  it('calls no upstream after its deadline', () => {
    expect(actions(INITIAL_STATE, { kind: 'unavailable', hasOthers: true, now: 195 }, { ...TERMS, timeoutMs: 200 })).toEqual([
      { kind: 'wake', afterMs: 5 },
    ])
    expect(actions(INITIAL_STATE, { kind: 'woke', now: 10_000 })).toEqual([{ kind: 'fail', failure: 'unavailable' }])
    expect(actions(ONE_ASKED, { kind: 'woke', now: 10_000 })).toEqual([])
  })

  it('gives up at once where no upstream is left', () => {
    const event = { kind: 'unavailable', hasOthers: false, now: 0 } as const
    expect(actions(INITIAL_STATE, event)).toEqual([{ kind: 'fail', failure: 'unavailable' }])
  })

  it.each([
    ['timeout', 'timeout'],
    ['too-large', 'too-large'],
    ['malformed', 'unavailable'],
  ] as const)('fails for %s with %s where nothing better is known', (fault, failure) => {
    expect(actions({ ...ONE_ASKED, attempts: 3 }, { kind: 'failed', fault, now: 5 })).toEqual([{ kind: 'fail', failure }])
  })

  it('keeps its invariants, whatever the upstreams do', () => {
    fc.assert(
      fc.property(SCENARIOS, (scenario) => check(run(scenario), scenario)),
      { numRuns: 5_000 },
    )
  })
})

interface Reaction {
  readonly afterMs: number
  readonly ends: ReplyVerdict | UpstreamFaultKind
}

interface Scenario {
  readonly isIdempotent: boolean
  readonly timeoutMs: number
  /** Of each attempt in turn. */
  readonly reactions: readonly Reaction[]
  /** Whether each choice in turn finds an upstream. */
  readonly choices: readonly boolean[]
  readonly hasOthers: boolean
  readonly p95Ms: number
  readonly leavesAt?: number
}

interface Trace {
  readonly settled: readonly CallAction[]
  readonly settledAt: number
  readonly attempts: readonly { readonly at: number; readonly isHedge: boolean }[]
  /** What had ended when each attempt was sent. */
  readonly endsBefore: readonly (readonly (ReplyVerdict | UpstreamFaultKind)[])[]
  readonly ends: readonly (ReplyVerdict | UpstreamFaultKind)[]
  readonly kept: readonly ReplyVerdict[]
}

const VERDICTS: readonly ReplyVerdict[] = ['result', 'final-error', 'own-error', 'null', 'unusable']
const FAULTS: readonly UpstreamFaultKind[] = ['unreachable', 'reset', 'status', 'limited', 'too-large', 'malformed']
const SETTLES: ReadonlySet<ActionKind> = new Set<ActionKind>(['answer', 'fallBack', 'fail'])

const SCENARIOS: fc.Arbitrary<Scenario> = fc.record(
  {
    isIdempotent: fc.boolean(),
    timeoutMs: fc.integer({ min: 1, max: 6_000 }),
    reactions: fc.array(fc.record({ afterMs: fc.nat(7_000), ends: fc.constantFrom(...VERDICTS, ...FAULTS) }), {
      minLength: 4,
      maxLength: 4,
    }),
    choices: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    hasOthers: fc.boolean(),
    p95Ms: fc.nat(3_000),
    leavesAt: fc.nat(8_000),
  },
  { requiredKeys: ['isIdempotent', 'timeoutMs', 'reactions', 'choices', 'hasOthers', 'p95Ms'] },
)

/** Carries out the actions on a clock of its own, each attempt ending with the call's time at the latest. */
function run(scenario: Scenario): Trace {
  const { isIdempotent, timeoutMs, reactions, choices, hasOthers, p95Ms, leavesAt } = scenario
  const terms: CallTerms = { isIdempotent, timeoutMs, startedAt: 0 }
  const due: { at: number; event: (now: number) => CallEvent }[] = []
  const trace = {
    settled: [] as CallAction[],
    settledAt: -1,
    attempts: [] as { at: number; isHedge: boolean }[],
    endsBefore: [] as (ReplyVerdict | UpstreamFaultKind)[][],
  }
  const ends: (ReplyVerdict | UpstreamFaultKind)[] = []
  const kept: ReplyVerdict[] = []
  let [state, now, chosen, wakeAt] = [INITIAL_STATE, 0, 0, -1]
  const on = (event: CallEvent): void => {
    const step = decide(terms, state, event)
    state = step.state
    for (const action of step.actions) perform(action)
  }
  const perform = (action: CallAction): void => {
    if (SETTLES.has(action.kind)) {
      trace.settled.push(action)
      trace.settledAt = now
    } else if (action.kind === 'wake') wakeAt = now + action.afterMs
    else if (action.kind === 'keep') kept.push(ends.at(-1) as ReplyVerdict)
    else if (choices[chosen++ % choices.length]) ask(action.kind === 'hedge')
    else on(action.kind === 'hedge' ? { kind: 'unhedged' } : { kind: 'unavailable', hasOthers, now })
  }
  const ask = (isHedge: boolean): void => {
    const { afterMs, ends: end } = reactions[trace.attempts.length] ?? { afterMs: 0, ends: 'unusable' }
    trace.attempts.push({ at: now, isHedge })
    trace.endsBefore.push([...ends])
    const isLate = now + afterMs >= timeoutMs
    const what = isLate ? 'timeout' : end
    due.push({
      at: isLate ? Math.max(timeoutMs, now + 1) : now + afterMs,
      event: (at) => {
        ends.push(what)
        return isVerdict(what) ? { kind: 'replied', verdict: what, now: at } : { kind: 'failed', fault: what, now: at }
      },
    })
    on({ kind: 'asked', p95Ms })
  }
  if (leavesAt !== undefined) due.push({ at: leavesAt, event: () => ({ kind: 'abandoned' }) })
  on({ kind: 'started' })
  for (let steps = 0; steps < 1_000 && (due.length > 0 || wakeAt >= 0); steps++) {
    due.sort((a, b) => a.at - b.at)
    const [next] = due
    if (wakeAt >= 0 && wakeAt <= (next?.at ?? Number.POSITIVE_INFINITY)) {
      now = wakeAt
      wakeAt = -1
      on({ kind: 'woke', now })
    } else if (next) {
      due.shift()
      now = next.at
      on(next.event(now))
    }
  }
  return { ...trace, ends, kept }
}

function check({ settled, settledAt, attempts, endsBefore, ends, kept }: Trace, { isIdempotent, timeoutMs, leavesAt }: Scenario): void {
  // Exactly one settlement, in time, whatever comes after it.
  expect(settled).toHaveLength(1)
  expect(settledAt).toBeLessThanOrEqual(timeoutMs)
  if (leavesAt !== undefined) expect(settledAt).toBeLessThanOrEqual(leavesAt)
  expect(attempts.length).toBeLessThanOrEqual(MAX_ATTEMPTS)
  // What may have an effect is repeated only where nothing was sent, and never hedged.
  if (!isIdempotent)
    for (const [index, before] of endsBefore.entries()) {
      expect(before).toEqual(Array.from({ length: index }, () => 'unreachable'))
      expect(attempts[index]?.isHedge).toBe(false)
    }
  // A hedge follows an attempt that took a while.
  for (const [index, { at, isHedge }] of attempts.entries())
    if (isHedge) expect(at).toBeGreaterThanOrEqual((attempts[index - 1]?.at ?? 0) + 100)
  checkAnswer(settled[0], ends, kept)
}

/** A null counts only where no result came. An error of one upstream counts only where there was nothing else. */
function checkAnswer(
  settled: CallAction | undefined,
  ends: readonly (ReplyVerdict | UpstreamFaultKind)[],
  kept: readonly ReplyVerdict[],
): void {
  if (settled?.kind === 'answer' && settled.use === 'reply')
    expect(ends.some((end) => end === 'result' || end === 'final-error')).toBe(true)
  if (settled?.kind === 'answer' && settled.use === 'fallback') expect(kept).toContain('null')
  if (settled?.kind === 'fallBack') expect(kept.length).toBeGreaterThan(0)
  if (settled?.kind === 'fail' && settled.failure !== 'abandoned') expect(kept).toEqual([])
}

function isVerdict(end: ReplyVerdict | UpstreamFaultKind): end is ReplyVerdict {
  return (VERDICTS as readonly string[]).includes(end)
}

function actions<K extends EventKind>(state: CallState, event: CallEvent<K>, terms = TERMS): readonly CallAction[] {
  return decide(terms, state, event).actions
}
