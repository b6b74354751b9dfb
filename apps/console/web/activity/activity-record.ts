import type { OrganizationEvent } from '@trestle/contracts/accounts/events'
import type { Activity } from '@trestle/contracts/activity'
import { csv } from '../parts/csv.js'
import { activityTexts } from '../texts/activity.js'

/** A record of the user's own activity, or of an organization's, which says whose it is. */
export type ListedActivity = Activity & Pick<OrganizationEvent, 'by'>

export const ACTIVITY_KINDS = ['all', 'changes', 'reads'] as const
export const ACTIVITY_STATUSES = ['all', 'good', 'refused', 'failed'] as const
type ActivityOutcome = Exclude<(typeof ACTIVITY_STATUSES)[number], 'all'>

export interface ActivityFilter {
  /** A service by its name, or all. */
  readonly area: string | null
  readonly kind: (typeof ACTIVITY_KINDS)[number]
  readonly status: (typeof ACTIVITY_STATUSES)[number]
  /** Words of the method and the route. */
  readonly what: string
  /** Whether reading the list is worth a line in it. */
  readonly own: boolean
}

export const NO_FILTER: ActivityFilter = { area: null, kind: 'all', status: 'all', what: '', own: false }

export function recordedMethod({ input }: Activity): string {
  return String(input['method'] ?? '')
}

/** The route as its service knows it; a record without one is named by its method alone. */
export function recordedRoute({ input }: Activity): string {
  return String(input['route'] ?? '')
}

export function activityOutcome({ output: { httpStatusCode } }: Activity): ActivityOutcome {
  if (httpStatusCode < 400) return 'good'
  return httpStatusCode < 500 ? 'refused' : 'failed'
}

export function recordedMs({ output }: Activity): number {
  return new Date(output.endTime).getTime() - new Date(output.startTime).getTime()
}

export function filterRecords(records: readonly ListedActivity[], filter: ActivityFilter): ListedActivity[] {
  const words = filter.what.toLowerCase().split(/\s+/).filter(Boolean)
  return records.filter((record) => {
    const text = `${recordedMethod(record)} ${recordedRoute(record)} ${authorText(record)}`.toLowerCase()
    return (
      (filter.own || !isOfThisList(record)) &&
      (filter.area === null || record.service === filter.area) &&
      (filter.kind === 'all' || (filter.kind === 'reads') === (recordedMethod(record) === 'GET')) &&
      (filter.status === 'all' || filter.status === activityOutcome(record)) &&
      words.every((word) => text.includes(word))
    )
  })
}

/** Newer records before older ones, each once. Those at the seam may be in both, as records are stored a little late. */
export function mergeRecords(newer: readonly ListedActivity[], older: readonly ListedActivity[]): ListedActivity[] {
  const known = new Map([...newer, ...older].map((record) => [record.id, record]))
  return [...known.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
}

export function toCsv(records: readonly ListedActivity[]): string {
  const names = records.some(({ by }) => by)
    ? { header: ['who'], of: (record: ListedActivity) => [authorText(record)] }
    : { header: [], of: () => [] }
  const header = [...names.header, 'time', 'service', 'method', 'route', 'status', 'milliseconds', 'bytes', 'id']
  const lines = records.map((record) => [
    ...names.of(record),
    record.createdAt,
    record.service,
    recordedMethod(record),
    recordedRoute(record),
    record.output.httpStatusCode,
    recordedMs(record),
    record.output.bytesOut,
    record.id,
  ])
  return csv([header, ...lines])
}

/** Who did it: with the address, as names repeat, and the key that was used. Empty where many calls are summed up. */
export function authorText({ by }: ListedActivity): string {
  if (!by) return ''
  const { displayName = activityTexts.deletedAccount, email, clientKey, former } = by
  const notes = [email, clientKey && activityTexts.byKey(clientKey), former && by.displayName && activityTexts.former]
  return [displayName, ...notes.filter(Boolean)].join(', ')
}

const LISTS = ['/users/me/events', '/organizations/{id}/events']

/** Otherwise the live list would fill with its own reads. */
function isOfThisList(record: Activity): boolean {
  return record.service === 'accounts' && recordedMethod(record) === 'GET' && LISTS.includes(recordedRoute(record))
}
