import type { ErrorCount } from '@trestle/contracts/eth-rpc/failures'

export type ErrorTotal = Pick<ErrorCount, 'method' | 'code' | 'kind' | 'count'>

/** By method and code; the most frequent first. */
export function errorsByCode(errors: readonly ErrorCount[]): ErrorTotal[] {
  const totals = new Map<string, ErrorTotal>()
  for (const { method, code, kind, count } of errors) {
    const key = `${method} ${code}`
    totals.set(key, { method, code, kind, count: (totals.get(key)?.count ?? 0) + count })
  }
  return [...totals.values()].sort((a, b) => b.count - a.count || a.method.localeCompare(b.method) || a.code - b.code)
}

/** How many failed in each of these periods, which begin at these times. */
export function errorsByTime(errors: readonly ErrorCount[], starts: readonly string[]): number[] {
  const counts = new Map(starts.map((start) => [start, 0]))
  for (const { time, count } of errors) counts.set(time, (counts.get(time) ?? 0) + count)
  return starts.map((start) => counts.get(start) ?? 0)
}
