import { Button, Card, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { ArrivalsPanel } from './arrivals-panel.js'
import { blockColumns } from './block-columns.js'
import { useBitcoinChain } from './chain.js'
import { ChainPage } from './chain-page.js'
import { FeesPanel } from './fees-panel.js'
import { latestBlocks } from './latest-blocks.client.js'
import { MempoolPanel } from './mempool-panel.js'
import { StatusPanel } from './status-panel.js'
import { type MempoolArrival, refetchMs, useChainEvents } from './use-chain-events.js'

const texts = bitcoinTexts.overview
const BLOCKS = 10
/** How many transactions are shown as they come. */
const ARRIVALS = 10

/** Latest blocks, mempool and fees of a chain. */
export function BitcoinOverviewPage() {
  const { chain, at, title: chainTitle } = useBitcoinChain()
  const client = useQueryClient()
  const [arrivals, setArrivals] = useState<readonly MempoolArrival[]>([])
  const isLive = useChainEvents(chain, { events: 'block,tx' }, (event) => {
    if (event.event === 'tx') setArrivals((before) => [event.data, ...before].slice(0, ARRIVALS))
    if (event.event === 'block')
      for (const noun of ['latest', 'sync']) void client.invalidateQueries({ queryKey: ['bitcoin', noun, chain] })
  })
  return (
    <ChainPage
      isFirst
      title={bitcoinTexts.title}
      description={texts.description(chainTitle)}
      actions={
        <Button component={Link} to={at('/broadcast')} variant="default">
          {texts.broadcast}
        </Button>
      }
    >
      <StatusPanel isLive={isLive} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="lg" miw={0}>
          <LatestBlocks isLive={isLive} />
          <MempoolPanel />
        </Stack>
        <Stack gap="lg" miw={0}>
          <FeesPanel isLive={isLive} />
          <ArrivalsPanel arrivals={arrivals} isLive={isLive} rows={ARRIVALS} />
        </Stack>
      </SimpleGrid>
    </ChainPage>
  )
}

function LatestBlocks({ isLive }: { isLive: boolean }) {
  const { chain, at, api } = useBitcoinChain()
  const latest = useQuery({
    queryKey: ['bitcoin', 'latest', chain],
    queryFn: () => latestBlocks(api, BLOCKS),
    refetchInterval: refetchMs(isLive),
  })
  return (
    <Card withBorder component="section">
      <Stack gap="sm">
        <SectionTitle>{texts.latest}</SectionTitle>
        <Loaded query={latest} rows={BLOCKS}>
          {(blocks) => (
            <DataTable
              label={texts.latest}
              rows={blocks}
              columns={blockColumns(at).filter(({ name }) => name !== 'hash')}
              minWidth={400}
              keyOf={({ hash }) => hash}
              empty={<Text c="dimmed">{texts.noBlocks}</Text>}
            />
          )}
        </Loaded>
        <Button component={Link} to={at('/blocks')} variant="default">
          {texts.allBlocks}
        </Button>
      </Stack>
    </Card>
  )
}
