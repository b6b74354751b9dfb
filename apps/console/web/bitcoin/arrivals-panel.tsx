import { Anchor, Card, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { formatBytes } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { SectionTitle } from '../parts/panel.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { formatSatoshis, parseCoins } from './money.js'
import type { MempoolArrival } from './use-chain-events.js'

const texts = bitcoinTexts.arrivals
const ROW_PX = 37

/** Transactions as they enter the mempool. Room for all is kept from the beginning, so that nothing below is pushed about. */
export function ArrivalsPanel({ arrivals, isLive, rows }: { arrivals: readonly MempoolArrival[]; isLive: boolean; rows: number }) {
  const { unit, at } = useBitcoinChain()
  const columns: readonly Column<MempoolArrival>[] = [
    {
      name: 'id',
      header: texts.transaction,
      width: '2fr',
      cell: ({ txid }) => (
        <Anchor component={Link} to={at(`/tx/${txid}`)} className="mono">
          {txid.slice(0, 16)}…
        </Anchor>
      ),
    },
    { name: 'value', header: texts.value, align: 'right', cell: ({ valueOut }) => `${formatSatoshis(parseCoins(valueOut))} ${unit}` },
    { name: 'size', header: texts.size, align: 'right', cell: ({ size }) => formatBytes(size) },
  ]
  return (
    <Card withBorder component="section" mih={rows * ROW_PX + 150}>
      <Stack gap="xs">
        <SectionTitle>{texts.title}</SectionTitle>
        <Text size="sm" c="dimmed">
          {isLive ? texts.text : texts.away}
        </Text>
        <DataTable
          label={texts.title}
          rows={arrivals}
          columns={columns}
          keyOf={({ txid }) => txid}
          empty={isLive ? texts.none : texts.noneAway}
          minWidth={320}
        />
      </Stack>
    </Card>
  )
}
