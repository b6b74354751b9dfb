import { Alert, Anchor, Button, Card, Group, Pagination, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { InsightBlock } from '@trestle/contracts/btc-connect/blocks'
import { Link, useParams, useSearchParams } from 'react-router'
import { formatBytes, formatCount } from '../parts/amount.js'
import { Hash } from '../parts/copy-button.js'
import { DataTable } from '../parts/data-table.js'
import { FactList } from '../parts/fact-list.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { exactTime, Time } from '../parts/time.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { ChainPage } from './chain-page.js'
import { formatSatoshis, parseCoins } from './money.js'
import { TransactionRows } from './transaction-rows.js'

const texts = bitcoinTexts.block
const SETTLED_CONFIRMATIONS = 100

/** One block: what it says of itself, and its transactions. */
export function BlockPage() {
  const { hash = '' } = useParams()
  const { chain, api } = useBitcoinChain()
  const query = useQuery({
    queryKey: ['bitcoin', 'block', chain, hash],
    queryFn: () => api.blocks.one({ params: { hash } }),
    refetchInterval: ({ state: { data } }) => (data && data.confirmations > SETTLED_CONFIRMATIONS ? false : 10_000),
  })
  return (
    <ChainPage
      title={query.data ? texts.title(formatCount(query.data.height)) : texts.untitled}
      description={<Hash value={hash} label={texts.copyHash} />}
      actions={query.data && <Neighbours block={query.data} />}
    >
      <Loaded query={query} rows={8}>
        {(block) => (
          <>
            {!block.isMainChain && <Alert color="yellow">{texts.replaced}</Alert>}
            <Header block={block} />
            <Stack component="section" gap="sm">
              <SectionTitle>{texts.transactions(block.tx.length)}</SectionTitle>
              {block.isMainChain ? <Transactions block={block} /> : <Ids block={block} />}
            </Stack>
          </>
        )}
      </Loaded>
    </ChainPage>
  )
}

function Neighbours({ block: { previousblockhash, nextblockhash } }: { block: InsightBlock }) {
  const { at } = useBitcoinChain()
  return (
    <>
      {previousblockhash && (
        <Button component={Link} to={at(`/block/${previousblockhash}`)} variant="default">
          {texts.before}
        </Button>
      )}
      {nextblockhash && (
        <Button component={Link} to={at(`/block/${nextblockhash}`)} variant="default">
          {texts.after}
        </Button>
      )}
    </>
  )
}

function Header({ block }: { block: InsightBlock }) {
  const { unit, at } = useBitcoinChain()
  const { poolInfo } = block
  return (
    <Card withBorder>
      <FactList
        columns={3}
        facts={[
          [texts.height, formatCount(block.height)],
          [texts.confirmations, block.isMainChain ? formatCount(block.confirmations) : texts.noConfirmations],
          [
            texts.time,
            <>
              {exactTime(block.time * 1000)} (<Time value={block.time * 1000} />)
            </>,
          ],
          [texts.size, formatBytes(block.size)],
          [texts.reward, `${formatSatoshis(parseCoins(block.reward))} ${unit}`],
          [texts.difficulty, String(block.difficulty)],
          [texts.version, `0x${(block.version >>> 0).toString(16).padStart(8, '0')}`],
          [texts.nonce, String(block.nonce)],
          [texts.bits, block.bits],
          poolInfo.poolName !== undefined && [texts.miner, poolInfo.poolName],
          [texts.merkleRoot, <Hash key="root" value={block.merkleroot} short />],
          [texts.chainwork, <Hash key="work" value={block.chainwork} short />],
          [
            texts.day,
            <Anchor key="day" component={Link} to={at(`/blocks?date=${new Date(block.time * 1000).toISOString().slice(0, 10)}`)}>
              {texts.sameDay}
            </Anchor>,
          ],
        ]}
      />
    </Card>
  )
}

function Transactions({ block: { hash } }: { block: InsightBlock }) {
  const { chain, api } = useBitcoinChain()
  const [search, setSearch] = useSearchParams()
  const page = Math.max(1, Math.floor(Number(search.get('page'))) || 1)
  const query = useQuery({
    queryKey: ['bitcoin', 'block-transactions', chain, hash, page],
    queryFn: () => api.transactions.list({ query: { block: hash, pageNum: String(page - 1) } }),
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
  return (
    <Loaded query={query} rows={10}>
      {({ txs, pagesTotal }) => (
        <>
          <TransactionRows label={texts.list} transactions={txs} />
          {pagesTotal > 1 && (
            <Group justify="center">
              <Pagination
                value={page}
                total={pagesTotal}
                onChange={(next) => setSearch({ page: String(next) })}
                getItemProps={(item) => ({ 'aria-label': texts.page(item) })}
                getControlProps={(control) => ({ 'aria-label': texts.controls[control] })}
              />
            </Group>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Of a block that another has replaced only the ids are kept. */
function Ids({ block: { tx } }: { block: InsightBlock }) {
  return (
    <DataTable
      label={texts.list}
      rows={tx}
      columns={[{ name: 'id', header: texts.id, cell: (id) => <Hash value={id} /> }]}
      keyOf={(id) => id}
    />
  )
}
