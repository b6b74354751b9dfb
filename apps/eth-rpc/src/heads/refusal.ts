/** Why an upstream is asked nothing: a label of metrics. */
export const REFUSAL_REASONS = [
  'silent',
  'wrong-chain',
  'syncing',
  'unproven',
  'lagging',
  'other-branch',
  'cordoned',
  'shadow',
  'spent',
] as const

export interface Refusal {
  readonly reason: (typeof REFUSAL_REASONS)[number]
  /** In words, without the upstream's address. */
  readonly detail: string
}

export const SPENT: Refusal = { reason: 'spent', detail: 'its budget of this month is used up' }
export const CORDONED: Refusal = { reason: 'cordoned', detail: 'it is cordoned' }
export const SHADOW: Refusal = { reason: 'shadow', detail: 'it is a shadow: its answers are only compared' }
export const FORGING: Refusal = { reason: 'unproven', detail: 'it shows blocks whose hashes are not those of their headers' }

/** All that are refused, in one sentence; undefined where none is. */
export function refusalsIn(upstreams: Iterable<{ readonly name: string; readonly refusal?: Refusal }>): string | undefined {
  const refused = [...upstreams].flatMap(({ name, refusal }) => (refusal ? [`${name}: ${refusal.detail}`] : []))
  return refused.length > 0 ? refused.join('; ') : undefined
}
