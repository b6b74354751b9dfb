import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

interface Step<T> {
  rows: readonly T[]
  /** Continues after this page. */
  walk: Walk<T>
}
type Walk<T> = AsyncGenerator<readonly T[], void>

/** A paged list: the rows loaded so far, and how to load more. `pageSize` is the requested `limit`. */
export function usePaged<T>(queryKey: QueryKey, pageSize: number, walk: () => Walk<T>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => next(pageParam ?? walk()),
    initialPageParam: undefined as Walk<T> | undefined,
    getNextPageParam: ({ rows, walk }) => (rows.length < pageSize ? undefined : walk),
    // A long list is not reloaded page by page because the window regained focus.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= 1,
  })
  const { data, isFetchingNextPage, hasNextPage, isFetchNextPageError, fetchNextPage, refetch } = query
  // A walk takes one step at a time; one that failed starts over.
  const loadNext = () => fetchNextPage({ cancelRefetch: false })
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows), [data])
  return {
    query: { ...query, data: rows },
    more: hasNextPage ? { load: () => (isFetchNextPageError ? refetch() : loadNext()), loading: isFetchingNextPage } : undefined,
  }
}

async function next<T>(walk: Walk<T>): Promise<Step<T>> {
  const { value } = await walk.next()
  return { rows: value ?? [], walk }
}
