/** What every service adds up of its calls; `N` are the sums of its own. */
export type SumName<N extends string = never> = N | 'calls' | 'errors' | 'bytesOut'

/** What calls came to. `latency` has how many took how long, by bucket; it is empty where that is not measured. */
export type Sums<N extends string = never> = Record<SumName<N>, number> & { latency: number[] }

export type MethodSums<N extends string = never> = Sums<N> & { readonly method: string }

/** How a service keeps its usage. */
export interface UsageTable<N extends string = never> {
  /** A row for what was called, hour and method. */
  readonly name: string
  /** The column of what was called. */
  readonly key: string
  readonly keyType: 'int' | 'text'
  readonly columns: readonly (readonly [sum: SumName<N>, column: string])[]
  /** Of the column `latency`; 0 where there is none. */
  readonly latencyBuckets: number
  /** A sum that is kept by day as well, where it has to be known at once. */
  readonly perDay?: { readonly table: string; readonly column: string }
  /** No calls: all sums are 0. */
  none(): Sums<N>
}

/** How a service's calls are counted and kept. */
export interface UsageKind<N extends string = never> {
  readonly table: UsageTable<N>
  readonly maxWaitingRows: number
  /** The name of the service, and the route of its calls, in activity records. */
  readonly service: string
  readonly route: string
}

export function addTo<N extends string>({ columns }: Pick<UsageTable<N>, 'columns'>, total: Sums<N>, one: Sums<N>): void {
  const into: Record<SumName<N>, number> = total
  const from: Record<SumName<N>, number> = one
  for (const [name] of columns) into[name] += from[name]
  for (const [bucket, count] of one.latency.entries()) total.latency[bucket] = (total.latency[bucket] ?? 0) + count
}

export function totalOf<N extends string>(table: Pick<UsageTable<N>, 'columns' | 'none'>, all: readonly Sums<N>[]): Sums<N> {
  const total = table.none()
  for (const one of all) addTo(table, total, one)
  return total
}
