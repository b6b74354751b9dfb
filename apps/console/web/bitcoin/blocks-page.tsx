import { Button, Group, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { BlockList } from '@trestle/contracts/btc-connect/blocks'
import { Link, useSearchParams } from 'react-router'
import { DataTable } from '../parts/data-table.js'
import { daysAfter, utcDay } from '../parts/days.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { blockColumns } from './block-columns.js'
import { useBitcoinChain } from './chain.js'
import { ChainPage } from './chain-page.js'

const texts = bitcoinTexts.blocks

type Next = Pick<BlockList['pagination'], 'moreTs' | 'moreHeight'>
const FIRST_PAGE: Next = {}

/** The blocks of a day, newest first. */
export function BlocksPage() {
  const { at } = useBitcoinChain()
  const [query, setQuery] = useSearchParams()
  const date = query.get('date') ?? utcDay(new Date())
  const blocks = useBlocks(date)
  const first = blocks.data?.pages[0]
  const rows = blocks.data?.pages.flatMap((page) => page.blocks)
  return (
    <ChainPage title={texts.title} description={texts.description}>
      <Group align="flex-end">
        <TextInput
          type="date"
          label={texts.day}
          value={date}
          onChange={({ currentTarget: { value } }) => value && setQuery({ date: value })}
        />
        <Button component={Link} variant="default" to={{ search: `?date=${neighbour(date, -1)}` }}>
          {texts.before}
        </Button>
        {first?.pagination.isToday ? (
          <Button variant="default" disabled>
            {texts.after}
          </Button>
        ) : (
          <Button component={Link} variant="default" to={{ search: `?date=${neighbour(date, 1)}` }}>
            {texts.after}
          </Button>
        )}
      </Group>
      <Loaded query={{ ...blocks, data: rows }} rows={12}>
        {(found) => (
          <DataTable
            label={texts.title}
            rows={found}
            columns={blockColumns(at)}
            minWidth={720}
            keyOf={({ hash }) => hash}
            empty={<EmptyState title={texts.none.title} text={texts.none.text(date)} />}
            more={blocks.hasNextPage ? { load: blocks.fetchNextPage, loading: blocks.isFetchingNextPage } : undefined}
          />
        )}
      </Loaded>
    </ChainPage>
  )
}

function useBlocks(date: string) {
  const { chain, api } = useBitcoinChain()
  return useInfiniteQuery({
    queryKey: ['bitcoin', 'blocks', chain, date],
    queryFn: ({ pageParam: { moreTs, moreHeight } }) =>
      api.blocks.list({
        query: {
          date,
          ...(moreTs !== undefined && { startTimestamp: String(moreTs) }),
          ...(moreHeight !== undefined && { startHeight: String(moreHeight) }),
        },
      }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ pagination: { more, moreTs, moreHeight } }): Next | undefined => (more ? { moreTs, moreHeight } : undefined),
    // Only today goes on; of what was loaded of it, one page is asked for again, not all.
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 && data.pages[0]?.pagination.isToday ? 10_000 : false),
  })
}

/** The day before or after; today's where the address of the page names no day. */
function neighbour(date: string, days: number): string {
  return daysAfter(Number.isNaN(Date.parse(date)) ? utcDay(new Date()) : date, days)
}
