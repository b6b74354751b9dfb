/** Why an upstream is asked nothing: a label of metrics. */
export const REFUSAL_REASONS = ['silent', 'wrong-chain', 'syncing', 'unproven', 'lagging', 'other-branch', 'cordoned', 'shadow'] as const

export interface Refusal {
  readonly reason: (typeof REFUSAL_REASONS)[number]
  /** In words, without the upstream's address. */
  readonly detail: string
}

/** All that are refused, in one sentence; undefined where none is. */
export function refusalsIn(upstreams: Iterable<{ readonly name: string; readonly refusal?: Refusal }>): string | undefined {
  const refused = [...upstreams].flatMap(({ name, refusal }) => (refusal ? [`${name}: ${refusal.detail}`] : []))
  return refused.length > 0 ? refused.join('; ') : undefined
}
