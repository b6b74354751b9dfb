import type { CallOutcome } from '../framing/outcome.js'

interface Kept {
  readonly outcome: CallOutcome
  upstreams: number
}

/** The replies of one call that may be too little, each with the number of upstreams that gave it. */
export class KeptReplies {
  private readonly all: Kept[] = []

  add(outcome: CallOutcome): void {
    const kept = this.equalTo(outcome)
    if (kept) kept.upstreams++
    else this.all.push({ outcome, upstreams: 1 })
  }

  /** How many upstreams gave this one. */
  count(outcome: CallOutcome): number {
    return this.equalTo(outcome)?.upstreams ?? 0
  }

  /** What most say: a result rather than an error; of two that are said as often the longer one. */
  get best(): CallOutcome | undefined {
    const [best] = this.all.toSorted((a, b) => worth(b) - worth(a) || b.upstreams - a.upstreams || lengthOf(b) - lengthOf(a))
    return best?.outcome
  }

  private equalTo({ member, json }: CallOutcome): Kept | undefined {
    return this.all.find(({ outcome }) => outcome.member === member && outcome.json.equals(json))
  }
}

function worth({ outcome }: Kept): number {
  return Number(outcome.member === 'result')
}

function lengthOf({ outcome }: Kept): number {
  return outcome.json.length
}
