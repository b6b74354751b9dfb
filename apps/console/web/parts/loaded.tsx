import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { partsTexts } from '../texts/parts.js'
import { ProblemNotice } from './problem-notice.js'

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  /** What stands there while nothing is known: as high as what comes, so that nothing jumps. */
  rows?: number
  children: (data: T) => ReactNode
}

/** The result of a query, or its error. An earlier result stays visible while a refetch fails. */
export function Loaded<T>({ query, rows = 3, children }: LoadedProps<T>) {
  if (query.data !== undefined)
    return (
      <>
        {query.error && <ProblemNotice error={query.error} retry={query.refetch} />}
        {children(query.data)}
      </>
    )
  if (query.error) return <ProblemNotice error={query.error} retry={query.refetch} />
  return (
    <Stack gap="xs" role="status" aria-label={partsTexts.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} h={40} />
      ))}
    </Stack>
  )
}
