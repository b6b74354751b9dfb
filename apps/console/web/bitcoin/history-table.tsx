import { Anchor, Button, Group, Text } from '@mantine/core'
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { InsightTransaction } from '@trestle/contracts/btc-connect/transactions'
import { Link } from 'react-router'
import { formatCount } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { Time } from '../parts/time.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { type HistorySlice, historyRows, withNewest } from './history.js'
import { effectOn, formatChange } from './money.js'
import { refetchMs } from './use-chain-events.js'

const texts = bitcoinTexts.address
const PAGE_SIZE = 50

type Api = ReturnType<typeof useBitcoinChain>['api']
type Known = InfiniteData<HistorySlice>

const keyOf = (chain: string, address: string) => ['bitcoin', 'history', chain, address]

function read(api: Api, address: string, from: number): Promise<HistorySlice> {
  const query = { from: String(from), to: String(from + PAGE_SIZE), noAsm: '1', noScriptSig: '1', noSpent: '1' } as const
  return api.addresses.transactionsOfSeveral({ params: { addrs: address }, query })
}

/** The transactions of an address, newest first; more are loaded as the reader scrolls. */
export function HistoryTable({ address, isLive, total }: { address: string; isLive: boolean; total: number }) {
  const { unit, at } = useBitcoinChain()
  const { query, refreshNewest } = useHistory(address, isLive)
  const rows = query.data && historyRows(query.data.pages)
  const isNew = query.data !== undefined && isReadOn(query.data) && total > (query.data.pages[0]?.totalItems ?? 0)
  return (
    <Loaded query={{ ...query, data: rows }} rows={10}>
      {(loaded) => (
        <>
          <Group gap="xs" mih={30} mb="xs">
            <Text size="sm" c="dimmed">
              {texts.shown(formatCount(loaded.length), formatCount(Math.max(total, loaded.length)))}
            </Text>
            {isNew && (
              <Button size="compact-sm" variant="light" onClick={() => void refreshNewest(address, true)}>
                {texts.showNew}
              </Button>
            )}
          </Group>
          <DataTable
            label={texts.history}
            rows={loaded}
            columns={columns(address, unit, at)}
            keyOf={({ txid }) => txid}
            empty={texts.never}
            more={query.hasNextPage ? { load: query.fetchNextPage, loading: query.isFetchingNextPage } : undefined}
          />
        </>
      )}
    </Loaded>
  )
}

function useHistory(address: string, isLive: boolean) {
  const { chain, api } = useBitcoinChain()
  const refreshNewest = useNewest()
  const query = useInfiniteQuery({
    queryKey: keyOf(chain, address),
    queryFn: ({ pageParam }) => read(api, address, pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ totalItems }, pages) => {
      const known = historyRows(pages).length
      return known < totalItems && pages.at(-1)?.items.length ? known : undefined
    },
    // A long history is not loaded again: new transactions are put in front.
    staleTime: Number.POSITIVE_INFINITY,
  })
  useQuery({
    queryKey: ['bitcoin', 'newest', chain, address],
    queryFn: () => refreshNewest(address).then(() => null),
    // The first page has just been read.
    initialData: null,
    refetchInterval: refetchMs(isLive),
    enabled: query.isSuccess,
  })
  return { query, refreshNewest }
}

function columns(address: string, unit: string, at: (path: string) => string): readonly Column<InsightTransaction>[] {
  return [
    {
      name: 'id',
      header: texts.transaction,
      width: '2fr',
      cell: ({ txid }) => (
        <Anchor component={Link} to={at(`/tx/${txid}`)} className="mono">
          {txid.slice(0, 20)}…
        </Anchor>
      ),
    },
    { name: 'time', header: texts.time, width: '140px', cell: ({ time }) => <Time value={time * 1000} /> },
    {
      name: 'block',
      header: texts.block,
      width: '120px',
      align: 'right',
      cell: ({ blockheight }) => (blockheight < 0 ? texts.pending : formatCount(blockheight)),
    },
    { name: 'change', header: texts.change(unit), width: '180px', align: 'right', cell: (row) => formatChange(effectOn(address, row)) },
  ]
}

/** Rows must not move away under somebody who has read on. */
function isReadOn({ pages }: Known): boolean {
  return pages.length > 2
}

/** Puts what is new in front of what is loaded of a history; of one that is being read when asked to. */
export function useNewest(): (address: string, isAsked?: boolean) => Promise<void> {
  const { chain, api } = useBitcoinChain()
  const client = useQueryClient()
  return async (address, isAsked = false) => {
    const queryKey = keyOf(chain, address)
    const loaded = client.getQueryData<Known>(queryKey)
    if (!loaded || (isReadOn(loaded) && !isAsked)) return
    const newest = await read(api, address, 0)
    client.setQueryData<Known>(queryKey, (before) => {
      if (!before) return before
      const pages = withNewest(before.pages, newest)
      return { pages, pageParams: before.pageParams.slice(0, pages.length) }
    })
  }
}
