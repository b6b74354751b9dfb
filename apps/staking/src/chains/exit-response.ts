import { type JsonResponse, reasonIn } from './upstream-json.js'

export interface ExitResponse {
  /** Which node, without its address. */
  readonly node: string
  /** `known`: the node had the exit already, which is as good as accepting it. */
  readonly outcome: 'accepted' | 'known' | 'refused' | 'unreachable'
  readonly reason?: string
}

/** What a beacon node's response to a voluntary exit means. Instead of 400, some send 500 with the reason as text. */
export function exitResponseOf(node: string, { status, text }: JsonResponse): ExitResponse {
  if (status >= 200 && status <= 299) return { node, outcome: 'accepted' }
  const reason = reasonIn(text)
  if (KNOWN.test(reason)) return { node, outcome: 'known', reason }
  if (status === 408 || status === 429) return { node, outcome: 'unreachable', reason }
  const isRefusal = status < 500 || REFUSED.test(reason)
  return { node, outcome: isRefusal ? 'refused' : 'unreachable', reason }
}

const KNOWN = /already[_ ]?(exist|known|seen|exited|exiting|initiated|in)|duplicate/i
const REFUSED = /invalid|too[_ ]young|not[_ ]active|inactive/i
