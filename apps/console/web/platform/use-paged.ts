import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

interface Step<T> {
  rows: readonly T[]
  /** Continues after this page. */
  walk: Walk<T>
}
type Walk<T> = AsyncGenerator<readonly T[], void>

/** A paged list: the rows loaded so far, and how to load more. `pageSize` is the requested `limit`; `refreshMs` how often new rows are looked for. */
export function usePaged<T>(queryKey: QueryKey, pageSize: number, walk: () => Walk<T>, refreshMs?: number) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => next(pageParam ?? walk()),
    initialPageParam: undefined as Walk<T> | undefined,
    getNextPageParam: ({ rows, walk }) => (rows.length < pageSize ? undefined : walk),
    // A long list is not reloaded page by page.
    refetchOnWindowFocus: ({ state }) => isShort(state.data?.pages),
    refetchInterval: ({ state }) => refreshMs !== undefined && isShort(state.data?.pages) && refreshMs,
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

function isShort(pages: readonly unknown[] = []): boolean {
  return pages.length <= 1
}

async function next<T>(walk: Walk<T>): Promise<Step<T>> {
  const { value } = await walk.next()
  return { rows: value ?? [], walk }
}
