import type { Activity } from '@trestle/contracts/activity'
import { csv } from '../parts/csv.js'

export const KINDS = ['all', 'changes', 'reads'] as const
export const STATUSES = ['all', 'good', 'refused', 'failed'] as const
export type Outcome = Exclude<(typeof STATUSES)[number], 'all'>

export interface Filter {
  /** A service by its name, or all. */
  readonly area: string | null
  readonly kind: (typeof KINDS)[number]
  readonly status: (typeof STATUSES)[number]
  /** Words of the method and the route. */
  readonly what: string
  /** Whether reading the list is worth a line in it. */
  readonly own: boolean
}

export const NO_FILTER: Filter = { area: null, kind: 'all', status: 'all', what: '', own: false }

export function methodOf({ input }: Activity): string {
  return String(input['method'] ?? '')
}

/** The route as its service knows it; a record without one is named by its method alone. */
export function routeOf({ input }: Activity): string {
  return String(input['route'] ?? '')
}

export function outcomeOf({ output: { httpStatusCode } }: Activity): Outcome {
  if (httpStatusCode < 400) return 'good'
  return httpStatusCode < 500 ? 'refused' : 'failed'
}

export function millisecondsOf({ output }: Activity): number {
  return new Date(output.endTime).getTime() - new Date(output.startTime).getTime()
}

export function matching(records: readonly Activity[], filter: Filter): Activity[] {
  const words = filter.what.toLowerCase().split(/\s+/).filter(Boolean)
  return records.filter((record) => {
    const text = `${methodOf(record)} ${routeOf(record)}`.toLowerCase()
    return (
      (filter.own || !isOfThisList(record)) &&
      (filter.area === null || record.service === filter.area) &&
      (filter.kind === 'all' || (filter.kind === 'reads') === (methodOf(record) === 'GET')) &&
      (filter.status === 'all' || filter.status === outcomeOf(record)) &&
      words.every((word) => text.includes(word))
    )
  })
}

/** Newer records before older ones, each once. Those at the seam may be in both, as records are stored a little late. */
export function merged(newer: readonly Activity[], older: readonly Activity[]): Activity[] {
  const known = new Map([...newer, ...older].map((record) => [record.id, record]))
  return [...known.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
}

export function toCsv(records: readonly Activity[]): string {
  const header = ['time', 'service', 'method', 'route', 'status', 'milliseconds', 'bytes', 'id']
  const lines = records.map((record) => [
    record.createdAt,
    record.service,
    methodOf(record),
    routeOf(record),
    record.output.httpStatusCode,
    millisecondsOf(record),
    record.output.bytesOut,
    record.id,
  ])
  return csv([header, ...lines])
}

/** Else the live list would be full of itself. */
function isOfThisList(record: Activity): boolean {
  return record.service === 'accounts' && methodOf(record) === 'GET' && routeOf(record) === '/users/me/events'
}
