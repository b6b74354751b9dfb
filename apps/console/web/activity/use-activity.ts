import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { platformClient } from '../platform/client.js'
import { usePaged } from '../platform/use-paged.js'
import { type ListedActivity, mergeRecords } from './activity-record.js'

export interface TimeRange {
  /** Times, or empty: from 24 hours ago until now. */
  readonly from: string
  readonly to: string
}

/** Whose activity: the user's own, or what was done in the name of an organization, perhaps only the changes. */
export type ActivitySource = { readonly of: 'own' } | { readonly of: 'organization'; readonly id: string; readonly changes: boolean }

const PAGE_SIZE = 200
const MAX_RECORDS = '1000'
const LIVE_MS = 3000
/** A record may be stored this long after the call. */
const LATENESS_MS = 60_000

export const OWN_ACTIVITY: ActivitySource = { of: 'own' }

interface ActivityQuery {
  readonly from?: string
  readonly to?: string
  readonly limit: string
}

/** The records of a period in pages; while `live`, new records on top. */
export function useActivity(source: ActivitySource, { from, to }: TimeRange, live: boolean) {
  const query = { limit: String(PAGE_SIZE), ...(from && { from: instant(from) }), ...(to && { to: instant(to) }) }
  const { query: paged, more } = usePaged<ListedActivity>([...keyOf(source), from, to], PAGE_SIZE, () => pagesOf(source, query))
  const tail = useTail(source, live && !to, paged.data?.[0]?.createdAt)
  const news = to ? undefined : tail.data
  const data = useMemo(() => paged.data && (news ? mergeRecords(news, paged.data) : paged.data), [paged.data, news])
  return { query: { ...paged, data, error: paged.error ?? (live ? tail.error : null) }, more }
}

function useTail(source: ActivitySource, enabled: boolean, newest: string | undefined) {
  const client = useQueryClient()
  const queryKey = [...keyOf(source), 'tail']
  return useQuery({
    queryKey,
    queryFn: async () => {
      const known = client.getQueryData<ListedActivity[]>(queryKey) ?? []
      const last = known[0]?.createdAt ?? newest ?? new Date().toISOString()
      const from = new Date(new Date(last).getTime() - LATENESS_MS).toISOString()
      return mergeRecords(await newestOf(source, { from, limit: MAX_RECORDS }), known)
    },
    enabled,
    refetchInterval: LIVE_MS,
    gcTime: 0,
  })
}

function keyOf(source: ActivitySource): string[] {
  return source.of === 'own' ? ['accounts', 'events'] : ['accounts', 'events', source.id, source.changes ? 'changes' : 'all']
}

function newestOf(source: ActivitySource, query: ActivityQuery): Promise<ListedActivity[]> {
  const { list, ofOrganization } = platformClient.accounts.events
  return source.of === 'own' ? list({ query }) : ofOrganization(ofOrganizationBy(source, query))
}

function pagesOf(source: ActivitySource, query: ActivityQuery): AsyncGenerator<readonly ListedActivity[], void> {
  const { list, ofOrganization } = platformClient.accounts.events
  return source.of === 'own' ? list.pages({ query }) : ofOrganization.pages(ofOrganizationBy(source, query))
}

function ofOrganizationBy({ id, changes }: Exclude<ActivitySource, { of: 'own' }>, query: ActivityQuery) {
  return { params: { id }, query: { ...query, changes: String(changes) } }
}

/** A `datetime-local` field is in the user's time zone. */
function instant(local: string): string {
  return new Date(local).toISOString()
}
