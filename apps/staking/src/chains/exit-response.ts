import { reasonIn } from './upstream-json.js'

export interface ExitResponse {
  /** Which node, without its address. */
  readonly node: string
  /** `known`: it had the exit already, which is as good as taking it. */
  readonly outcome: 'taken' | 'known' | 'refused' | 'unreachable'
  readonly reason?: string
}

/** What a beacon node meant by its answer to a voluntary exit; where the API asks for 400, some answer 500 with the reason in words. */
export function exitResponseOf(node: string, { status, text }: { readonly status: number; readonly text: string }): ExitResponse {
  if (status >= 200 && status <= 299) return { node, outcome: 'taken' }
  const reason = reasonIn(text)
  if (KNOWN.test(reason)) return { node, outcome: 'known', reason }
  if (status === 408 || status === 429) return { node, outcome: 'unreachable', reason }
  const isRefusal = status < 500 || REFUSED.test(reason)
  return { node, outcome: isRefusal ? 'refused' : 'unreachable', reason }
}

const KNOWN = /already[_ ]?(exist|known|seen|exited|exiting|initiated|in)|duplicate/i
const REFUSED = /invalid|too[_ ]young|not[_ ]active|inactive/i
