import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { networkPrefixOf } from '@trestle/runtime/network-prefix'
import type { RpcMethod } from '../methods/method.js'
import { CallCounter, type CallRate } from './call-counter.js'
import { aSecond, type CallLimitRefusal, type CallRules } from './call-rules.js'
import { transactionSender } from './transaction-sender.js'

interface Call {
  readonly method: Pick<RpcMethod, 'name' | 'answeredBy'>
  readonly params: readonly unknown[]
  /** Of the caller; behind proxies it costs time to find out. */
  address(): string
  /** Of whom its token says that it calls, if it is one of the project's identity provider. */
  caller(): string | undefined
}

interface LimitedProject {
  /** Its serial number. */
  readonly serial: number
  readonly rules: CallRules
}

/** The calls of one project, held to its limits. */
export interface LimitedCalls {
  /** Lets a call through, or returns why not; from memory. */
  take(call: Call): CallLimitRefusal | undefined
}

/** Calls of other processes, or for them: which counter, which key of it, and how many. */
type CallCount = [counter: string, key: string, calls: number]

interface Held {
  readonly counter: CallCounter
  rate: CallRate
}

// An entry takes some 150 bytes.
const MAX_ENTRIES = 200_000
const MAX_ENTRIES_OF_ONE = 20_000
const ALL = 'all'
/** Of transactions that nobody can read, which nodes refuse. */
const UNREADABLE = 'unreadable'

/** What this process knows of the calls of all by method, caller and sender, for projects that limit those. */
@Injectable()
export class CallLedger {
  readonly #counters = new Map<string, Held>()
  #entries = 0

  constructor(private readonly clock: Clock) {}

  /** How many callers, methods and senders it counts. */
  get size(): number {
    return this.#entries
  }

  of(project: LimitedProject): LimitedCalls {
    return { take: (call) => this.take(project, call) }
  }

  /** What the other processes should know. */
  takeUnreported(max: number): CallCount[] {
    const counted: CallCount[] = []
    for (const [name, { counter }] of this.#counters) {
      for (const [key, calls] of counter.takeUnreported(max - counted.length)) counted.push([name, key, calls])
      if (counted.length === max) break
    }
    return counted
  }

  /** What others have let through. Nothing is kept of a project that was not called here. */
  debit(counted: readonly CallCount[]): void {
    const now = this.clock.now().getTime()
    for (const [name, key, calls] of counted) {
      const held = this.#counters.get(name)
      held?.counter.debit([key, calls], held.rate, now, this.hasRoom)
    }
  }

  forgetPast(): void {
    const now = this.clock.now().getTime()
    this.#entries = 0
    for (const [name, { counter }] of this.#counters) {
      counter.forgetPast(now)
      this.#entries += counter.size
      if (counter.size === 0) this.#counters.delete(name)
    }
  }

  private take(project: LimitedProject, call: Call): CallLimitRefusal | undefined {
    const now = this.clock.now().getTime()
    return (
      this.takeOfMethod(project, call, now) ??
      this.takeOfAddress(project, call, now) ??
      this.takeOfCaller(project, call, now) ??
      this.takeOfSender(project, call, now)
    )
  }

  private takeOfMethod({ serial, rules }: LimitedProject, { method }: Call, now: number): CallLimitRefusal | undefined {
    const limit = rules.methods.get(method.name)
    if (!limit) return undefined
    const refusal = this.refusal('method', this.held(`${serial} method ${limit.method}`, aSecond(limit.perSecond)), ALL, now)
    return refusal && { ...refusal, key: limit.method }
  }

  private takeOfAddress({ serial, rules: { perAddress } }: LimitedProject, call: Call, now: number): CallLimitRefusal | undefined {
    if (!perAddress) return undefined
    return this.refusal('address', this.held(`${serial} address`, perAddress), networkPrefixOf(call.address()), now)
  }

  private takeOfCaller({ serial, rules: { perCaller } }: LimitedProject, call: Call, now: number): CallLimitRefusal | undefined {
    if (!perCaller) return undefined
    const caller = call.caller()
    if (caller === undefined) return undefined
    return this.refusal('caller', this.held(`${serial} caller`, perCaller), `of ${caller}`, now)
  }

  private takeOfSender(
    { serial, rules: { perSender } }: LimitedProject,
    { method, params }: Call,
    now: number,
  ): CallLimitRefusal | undefined {
    if (!perSender || method.answeredBy !== 'broadcast') return undefined
    const sender = transactionSender(params[0])
    const refusal = this.refusal('sender', this.held(`${serial} sender`, perSender), sender ?? UNREADABLE, now)
    return refusal && { ...refusal, key: sender }
  }

  private get hasRoom(): boolean {
    return this.#entries < MAX_ENTRIES
  }

  private refusal(by: CallLimitRefusal['by'], { counter, rate }: Held, key: string, now: number): CallLimitRefusal | undefined {
    const before = counter.size
    const retryAfterMs = counter.take(key, rate, now, this.hasRoom)
    this.#entries += counter.size - before
    return retryAfterMs === 0 ? undefined : { by, limit: rate.calls, retryAfterMs, resetAt: now + retryAfterMs }
  }

  private held(name: string, rate: CallRate): Held {
    const known = this.#counters.get(name)
    if (known) {
      known.rate = rate
      return known
    }
    const held = { counter: new CallCounter(MAX_ENTRIES_OF_ONE), rate }
    this.#counters.set(name, held)
    return held
  }
}
