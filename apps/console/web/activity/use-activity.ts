import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Activity } from '@trestle/contracts/activity'
import { useMemo } from 'react'
import { platformClient } from '../platform/client.js'
import { usePaged } from '../platform/use-paged.js'
import { mergeRecords } from './activity-record.js'

export interface TimeRange {
  /** Times, or empty: from 24 hours ago until now. */
  readonly from: string
  readonly to: string
}

const PAGE_SIZE = 200
const MAX_RECORDS = '1000'
const LIVE_MS = 3000
/** A record may be stored this long after the call. */
const LATENESS_MS = 60_000

/** The records of a period in pages; while `live`, new records on top. */
export function useActivity({ from, to }: TimeRange, live: boolean) {
  const query = { limit: String(PAGE_SIZE), ...(from && { from: instant(from) }), ...(to && { to: instant(to) }) }
  const { query: paged, more } = usePaged<Activity>(['accounts', 'events', from, to], PAGE_SIZE, () =>
    platformClient.accounts.events.list.pages({ query }),
  )
  const tail = useTail(live && !to, paged.data?.[0]?.createdAt)
  const news = to ? undefined : tail.data
  const data = useMemo(() => paged.data && (news ? mergeRecords(news, paged.data) : paged.data), [paged.data, news])
  return { query: { ...paged, data, error: paged.error ?? (live ? tail.error : null) }, more }
}

function useTail(enabled: boolean, newest: string | undefined) {
  const client = useQueryClient()
  const queryKey = ['accounts', 'events', 'tail']
  return useQuery({
    queryKey,
    queryFn: async () => {
      const known = client.getQueryData<Activity[]>(queryKey) ?? []
      const last = known[0]?.createdAt ?? newest ?? new Date().toISOString()
      const from = new Date(new Date(last).getTime() - LATENESS_MS).toISOString()
      return mergeRecords(await platformClient.accounts.events.list({ query: { from, limit: MAX_RECORDS } }), known)
    },
    enabled,
    refetchInterval: LIVE_MS,
    gcTime: 0,
  })
}

/** A `datetime-local` field is in the user's time zone. */
function instant(local: string): string {
  return new Date(local).toISOString()
}
