import { isPending, type ResolvedCall } from '../cache/resolved-call.js'
import { CallAbort, type CallSignal } from '../call-signal.js'
import { type CallOutcome, shared } from '../framing/outcome.js'
import type { FollowedChain } from '../heads/followed-chain.js'

type Ask = (signal?: CallSignal) => Promise<CallOutcome>

// A call that has taken this long is not joined: a new one has its whole time left, and may fare better.
const MAX_JOIN_AGE_MS = 1000

/** Equal calls in flight share one answer between callers: the key is the whole call, and nothing of the caller. */
export class Coalescer {
  /**
   * Replaced whenever it is empty: V8 links the former tables of a Map, and where one of them is old keeps all that was in the later ones
   * until the next full collection.
   */
  private flights = new Map<string, Flight>()
  private head?: object

  constructor(
    private readonly chain: Pick<FollowedChain, 'head'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** How many are in flight. */
  get size(): number {
    return this.flights.size
  }

  /** The caller's signal ends its own wait; the call ends when the last caller leaves. */
  share(question: ResolvedCall, ask: Ask, signal?: CallSignal): Promise<CallOutcome> {
    // What is pending changes with each transaction that is sent: an earlier question may have been answered before it.
    if (question.key === '' || isPending(question)) return ask(signal)
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.forgetBeforeHead()
    const flight = this.joinable(question.key) ?? this.start(question.key, ask)
    return flight.join(signal)
  }

  /** What is in flight is not joined any more. */
  forget(): void {
    this.flights = new Map()
  }

  /** A caller that knows the newest head must not get an answer from before it. */
  private forgetBeforeHead(): void {
    if (this.head === this.chain.head) return
    this.head = this.chain.head
    this.forget()
  }

  private joinable(key: string): Flight | undefined {
    const flight = this.flights.get(key)
    return flight && !flight.isAborted && this.now() - flight.startedAt < MAX_JOIN_AGE_MS ? flight : undefined
  }

  private start(key: string, ask: Ask): Flight {
    const flight = new Flight(ask, this.now())
    this.flights.set(key, flight)
    const end = () => this.end(key, flight)
    flight.outcome.then(end, end)
    return flight
  }

  private end(key: string, flight: Flight): void {
    if (this.flights.get(key) !== flight) return
    if (this.flights.size === 1) this.flights = new Map()
    else this.flights.delete(key)
  }
}

/** One call under way, and how many wait for it. */
class Flight {
  readonly outcome: Promise<CallOutcome>
  private readonly abandoning = new CallAbort()
  private waiting = 0
  private joined = 0

  constructor(
    ask: Ask,
    readonly startedAt: number,
  ) {
    this.outcome = ask(this.abandoning)
  }

  get isAborted(): boolean {
    return this.abandoning.aborted
  }

  join(signal?: CallSignal): Promise<CallOutcome> {
    this.waiting++
    this.joined++
    if (!signal) return this.outcome.then(shared)
    return new Promise((resolve, reject) => {
      const leaving = { handleEvent: () => this.leave(signal, reject) }
      signal.addEventListener('abort', leaving, { once: true })
      const settling = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          signal.removeEventListener('abort', leaving)
          settle(value)
        }
      }
      const resolveWith = (outcome: CallOutcome) => resolve(this.joined > 1 ? shared(outcome) : outcome)
      this.outcome.then(settling(resolveWith), settling(reject))
    })
  }

  private leave({ reason }: CallSignal, reject: (reason: unknown) => void): void {
    this.waiting--
    if (this.waiting === 0) this.abandoning.abort(reason)
    reject(reason)
  }
}
