import { RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import { matchesPattern } from '../projects/method-pattern.js'
import type { CallRate } from './call-counter.js'
import type { CallLimits, MethodLimit } from './call-limits.js'

/** The limits of a project as its calls are held to them. */
export interface CallRules {
  /** By the name of the method. */
  readonly methods: ReadonlyMap<string, MethodLimit>
  readonly perAddress?: CallRate
  readonly perSender?: CallRate
  readonly perCaller?: CallRate
}

/** Why a call is not let through now. */
export interface CallLimitRefusal {
  readonly by: 'method' | 'address' | 'sender' | 'caller'
  /** The method or the pattern, or the sender. */
  readonly key?: string
  readonly limit: number
  readonly retryAfterMs: number
  /** When calls are let through again, in epoch milliseconds. */
  readonly resetAt: number
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Undefined where nothing is limited; each method is held to the first entry that means it. */
export function callRulesOf(
  { methods = [], perAddress, perSender, perCaller }: CallLimits,
  names: readonly string[],
): CallRules | undefined {
  if (methods.length === 0 && !perAddress && !perSender && !perCaller) return undefined
  const limited = names.flatMap((name): [string, MethodLimit][] => {
    const limit = methods.find(({ method }) => matchesPattern(method, name))
    return limit ? [[name, limit]] : []
  })
  return {
    methods: new Map(limited),
    perAddress: aSecond(perAddress),
    perCaller: aSecond(perCaller),
    perSender: perSender ? { calls: perSender, periodMs: MINUTE_MS } : undefined,
  }
}

export function aSecond(calls: number): CallRate
export function aSecond(calls: number | undefined): CallRate | undefined
export function aSecond(calls: number | undefined): CallRate | undefined {
  return calls ? { calls, periodMs: SECOND_MS } : undefined
}

const WORDS: Readonly<Record<CallLimitRefusal['by'], (limit: number, key: string) => string>> = {
  method: (limit, key) => `more calls of ${key} than the project may send a second: ${limit}`,
  address: (limit) => `more calls than one address may send to the project a second: ${limit}`,
  caller: (limit) => `more calls than one caller may send to the project a second: ${limit}`,
  sender: (limit, key) => `more transactions of ${key} than one sender may send through the project a minute: ${limit}`,
}

export function overCallLimit({ by, key = 'an unknown sender', limit, retryAfterMs, resetAt }: CallLimitRefusal): RpcFailure {
  const seconds = Math.ceil(retryAfterMs / SECOND_MS)
  const message = `${WORDS[by](limit, key)}; try again in ${seconds} s`
  const data = { limit, resetAt: new Date(resetAt).toISOString(), by }
  return new RpcFailure({ code: RPC_CODE.limit, message, data }, 429, { 'retry-after': String(seconds) })
}
