import type { UpstreamFaultKind } from './upstream-fault.js'

// How a call proceeds, without the sockets and the clock that it needs for that: `upstream-pool.engine.ts` has those.

export const MAX_ATTEMPTS = 3
/** How long a call waits for a block that we have announced and no upstream has any more. */
const MAX_BLOCK_WAIT_MS = 2_000
const BLOCK_POLL_MS = 20
const MIN_HEDGE_MS = 100
const MAX_HEDGE_MS = 2_000
/** How long another upstream may take to know what one does not. */
const NULL_WAIT_MS = 1_000

/** What stays the same during a call. */
export interface CallTerms {
  /** May be sent again though it may have had its effect. */
  readonly isIdempotent: boolean
  /** Work for an upstream: no second one is asked while the first is slow. */
  readonly isHeavy?: boolean
  readonly startedAt: number
  readonly timeoutMs: number
  /** How many upstreams are asked where what they know may be too little. */
  readonly maxDoubts?: number
}

export interface CallState {
  readonly phase: 'open' | 'settled'
  /** How many upstreams have been asked. */
  readonly attempts: number
  /** Those that have not answered yet. */
  readonly inFlight: number
  /** A slow attempt has led to another, or would have. */
  readonly isHedged: boolean
  /** The reply kept for the case that there is no better one. */
  readonly fallback: 'none' | 'error' | 'null'
  /** Why the last attempt that failed did so. */
  readonly fault?: UpstreamFaultKind
}

/** What a reply is worth. */
export type ReplyVerdict =
  /** It is the answer. */
  | 'result'
  /** An error that any upstream would report. */
  | 'final-error'
  /** An error that another upstream might not report. */
  | 'own-error'
  /** Nothing, which may be right: the upstream might be behind. */
  | 'null'
  /** Of no use. */
  | 'unusable'

/** Times are milliseconds of one monotonic clock. */
interface Events {
  started: object
  /** An upstream is being asked. */
  asked: { readonly p95Ms: number }
  /** No upstream is left to be asked next; others exist that lack the block so far. */
  unavailable: { readonly hasOthers: boolean; readonly now: number }
  /** No upstream is left for a hedge. */
  unhedged: object
  replied: { readonly verdict: ReplyVerdict; readonly now: number }
  failed: { readonly fault: UpstreamFaultKind; readonly now: number }
  /** An attempt ended with an error of our own. */
  crashed: object
  /** The time of the last `wake` has come. */
  woke: { readonly now: number }
  /** The caller has left. */
  abandoned: object
}

export type EventKind = keyof Events
export type CallEvent<K extends EventKind = EventKind> = { [P in K]: { readonly kind: P } & Events[P] }[K]

export type CallFailure = 'unavailable' | 'timeout' | 'too-large' | 'abandoned' | 'crashed'

interface Actions {
  /** Ask an upstream not asked before; where there is none and `again` is set, one of those that were. */
  ask: { readonly again: boolean }
  /** Ask another at the same time. */
  hedge: object
  /** Send `woke` after so long, and not at the time set before. */
  wake: { readonly afterMs: number }
  /** Keep the reply as fallback. */
  keep: object
  /** Settle: the attempt that has just replied is the fastest. */
  answer: { readonly use: 'reply' | 'fallback' }
  /** Settle with the fallback. */
  fallBack: object
  /** Settle with an error. */
  fail: { readonly failure: CallFailure }
}

export type ActionKind = keyof Actions
export type CallAction<K extends ActionKind = ActionKind> = { [P in K]: { readonly kind: P } & Actions[P] }[K]

interface CallStep {
  readonly state: CallState
  readonly actions: readonly CallAction[]
}

export const INITIAL_STATE: CallState = { phase: 'open', attempts: 0, inFlight: 0, isHedged: false, fallback: 'none' }

// Most steps do one of these: they are made once.
const NOTHING: readonly CallAction[] = []
const ASK: readonly CallAction[] = [{ kind: 'ask', again: false }]
const ASK_AGAIN: readonly CallAction[] = [{ kind: 'ask', again: true }]
const HEDGE: readonly CallAction[] = [{ kind: 'hedge' }]
const ANSWER: readonly CallAction[] = [{ kind: 'answer', use: 'reply' }]
const ANSWER_NULL: readonly CallAction[] = [{ kind: 'answer', use: 'fallback' }]
const FALL_BACK: readonly CallAction[] = [{ kind: 'fallBack' }]
const KEEP: readonly CallAction[] = [{ kind: 'keep' }]

type Transitions = { readonly [K in EventKind]: (state: CallState, event: CallEvent<K>, terms: CallTerms) => CallStep }

const TRANSITIONS: Transitions = {
  started: (state) => ({ state, actions: ASK }),
  asked,
  unavailable,
  unhedged: (state) => (state.fallback === 'null' ? giveUp(state) : wake(state, MIN_HEDGE_MS)),
  replied,
  failed,
  crashed: (state) => fail(state, 'crashed'),
  woke,
  abandoned: (state) => fail(state, 'abandoned'),
}

/** What to do about an event. A call that has settled does nothing more. */
export function decide<K extends EventKind>(terms: CallTerms, state: CallState, event: CallEvent<K>): CallStep {
  if (state.phase === 'settled') return { state, actions: NOTHING }
  return TRANSITIONS[event.kind](state, event, terms)
}

function asked(before: CallState, { p95Ms }: CallEvent<'asked'>, terms: CallTerms): CallStep {
  const state = { ...before, attempts: before.attempts + 1, inFlight: before.inFlight + 1 }
  if (state.fallback === 'null') return wake(state, NULL_WAIT_MS)
  if (!terms.isIdempotent || terms.isHeavy || isExhausted(state, terms)) return { state, actions: NOTHING }
  // The first time when it is slower than this upstream usually is, from then on only when it would be slow for any.
  return wake(state, state.isHedged ? MAX_HEDGE_MS : Math.min(Math.max(p95Ms, MIN_HEDGE_MS), MAX_HEDGE_MS))
}

function unavailable(state: CallState, { hasOthers, now }: CallEvent<'unavailable'>, { startedAt, timeoutMs }: CallTerms): CallStep {
  const leftMs = startedAt + Math.min(MAX_BLOCK_WAIT_MS, timeoutMs) - now
  const mayAppear = hasOthers && state.fallback === 'none' && leftMs > 0
  return state.inFlight === 0 && mayAppear ? wake(state, Math.min(BLOCK_POLL_MS, leftMs)) : awaitOthers(state)
}

function replied(before: CallState, { verdict, now }: CallEvent<'replied'>, terms: CallTerms): CallStep {
  const state = { ...before, inFlight: before.inFlight - 1 }
  switch (verdict) {
    case 'result':
      return settle(state, ANSWER)
    case 'final-error':
      // One upstream knows nothing of it, another has something against the question: nothing is known.
      return settle(state, state.fallback === 'null' ? ANSWER_NULL : ANSWER)
    case 'null':
      return keeping(proceed({ ...state, fallback: 'null' }, terms, now))
    case 'own-error':
      return state.fallback === 'none' ? keeping(proceed({ ...state, fallback: 'error' }, terms, now)) : proceed(state, terms, now)
    case 'unusable':
      return proceed(state, terms, now)
  }
}

function failed(before: CallState, { fault, now }: CallEvent<'failed'>, terms: CallTerms): CallStep {
  return proceed({ ...before, inFlight: before.inFlight - 1, fault }, terms, now, fault)
}

function woke(before: CallState, { now }: CallEvent<'woke'>, terms: CallTerms): CallStep {
  // After the deadline no upstream is called; those that were have failed by now.
  if (now - terms.startedAt >= terms.timeoutMs) return awaitOthers(before)
  if (before.inFlight === 0) return { state: before, actions: ASK }
  const state = { ...before, isHedged: true }
  if (!isExhausted(state, terms)) return { state, actions: HEDGE }
  return state.fallback === 'null' ? giveUp(state) : { state, actions: NOTHING }
}

/** Asks the next, where that may help. */
function proceed(state: CallState, terms: CallTerms, now: number, fault?: UpstreamFaultKind): CallStep {
  const mayRepeat = terms.isIdempotent || fault === 'unreachable'
  if (!mayRepeat || now - terms.startedAt >= terms.timeoutMs || isExhausted(state, terms)) return awaitOthers(state)
  // A kept connection may be closed just as it is used: that says little about the upstream.
  return { state, actions: fault === 'reset' ? ASK_AGAIN : ASK }
}

function isExhausted({ attempts, fallback }: CallState, { maxDoubts = MAX_ATTEMPTS }: CallTerms): boolean {
  return attempts >= (fallback === 'null' ? Math.max(maxDoubts, MAX_ATTEMPTS) : MAX_ATTEMPTS)
}

/** No upstream is left to call. Those that have not answered yet are slow, and unlikely to know more. */
function awaitOthers(state: CallState): CallStep {
  if (state.inFlight === 0) return giveUp(state)
  return state.fallback === 'null' ? wake(state, NULL_WAIT_MS) : { state, actions: NOTHING }
}

function giveUp(state: CallState): CallStep {
  if (state.fallback !== 'none') return settle(state, FALL_BACK)
  return fail(state, state.fault === 'timeout' || state.fault === 'too-large' ? state.fault : 'unavailable')
}

function wake(state: CallState, afterMs: number): CallStep {
  return { state, actions: [{ kind: 'wake', afterMs }] }
}

function keeping({ state, actions }: CallStep): CallStep {
  return { state, actions: [...KEEP, ...actions] }
}

function fail(state: CallState, failure: CallFailure): CallStep {
  return settle(state, [{ kind: 'fail', failure }])
}

function settle(state: CallState, actions: readonly CallAction[]): CallStep {
  return { state: { ...state, phase: 'settled' }, actions }
}
