import type { CallOutcome } from '../framing/outcome.js'
import { canonicalAnswer } from './canonical-answer.js'

interface Group {
  readonly key: string
  readonly first: CallOutcome
  canonical?: string
}

/** Answers by what they mean. Most nodes write the same bytes: what they mean is found out only where they do not. */
export class AnswerGroups {
  private readonly groups: Group[] = []

  /** The same for answers that mean the same; undefined for one that cannot be compared. */
  keyOf(outcome: CallOutcome): string | undefined {
    const same = this.groups.find(({ first }) => first.member === outcome.member && first.json.equals(outcome.json))
    if (same) return same.key
    const canonical = this.groups.length > 0 ? canonicalAnswer(outcome) : undefined
    if (this.groups.length > 0 && canonical === undefined) return undefined
    const alike = this.groups.find((group) => canonicalOf(group) === canonical)
    if (alike) return alike.key
    const key = `answer ${this.groups.length}`
    this.groups.push({ key, first: outcome, canonical })
    return key
  }
}

function canonicalOf(group: Group): string | undefined {
  group.canonical ??= canonicalAnswer(group.first)
  return group.canonical
}
