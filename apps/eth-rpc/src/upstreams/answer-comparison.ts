import { canonicalJson } from '../cache/canonical-json.js'
import type { CallOutcome } from '../framing/outcome.js'

/** Whether two nodes have said the same: members may be in another order, and digits in another case. Of errors, only that both are. */
export function isSameAnswer(one: CallOutcome, other: CallOutcome): boolean {
  if (one.member !== other.member) return false
  if (one.member === 'error' || one.json.equals(other.json)) return true
  const [first, second] = [canonical(one.json), canonical(other.json)]
  return first !== undefined && first === second
}

/** Undefined where a number or the depth is beyond what can be compared. */
function canonical(json: Buffer): string | undefined {
  try {
    return canonicalJson(JSON.parse(json.toString()))
  } catch {
    return undefined
  }
}
