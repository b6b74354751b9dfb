import { Anchor, Card, Group, Stack, Text } from '@mantine/core'
import type { InsightTransaction } from '@trestle/contracts/btc-connect/transactions'
import { Link } from 'react-router'
import { formatCount } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { SectionTitle } from '../parts/panel.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { formatSatoshis, parseCoins } from './money.js'

const texts = bitcoinTexts.transaction

type Input = InsightTransaction['vin'][number]
type Output = InsightTransaction['vout'][number]

export function Inputs({ transaction: { vin } }: { transaction: InsightTransaction }) {
  const { unit } = useBitcoinChain()
  const columns: readonly Column<Input>[] = [
    { name: 'from', header: texts.from, width: '2fr', cell: (input) => <Origin input={input} /> },
    {
      name: 'value',
      header: texts.value(unit),
      width: '150px',
      align: 'right',
      cell: (input) => ('valueSat' in input && input.valueSat !== undefined ? formatSatoshis(input.valueSat) : '–'),
    },
  ]
  return (
    <Side title={texts.inputs(formatCount(vin.length))}>
      <DataTable label={texts.inputsLabel} rows={vin} columns={columns} keyOf={({ n }) => String(n)} minWidth={300} />
    </Side>
  )
}

function Origin({ input }: { input: Input }) {
  const { at } = useBitcoinChain()
  if ('coinbase' in input) return texts.coinbase
  return (
    <Stack gap={0}>
      <Owner address={input.addr ?? undefined} otherwise={texts.noAddress} />
      <Anchor component={Link} to={at(`/tx/${input.txid}`)} size="xs">
        {texts.outputOf(input.vout, input.txid.slice(0, 12))}
      </Anchor>
    </Stack>
  )
}

export function Outputs({ transaction: { vout } }: { transaction: InsightTransaction }) {
  const { unit } = useBitcoinChain()
  const columns: readonly Column<Output>[] = [
    { name: 'to', header: texts.to, width: '2fr', cell: (output) => <Destination output={output} /> },
    { name: 'value', header: texts.value(unit), width: '150px', align: 'right', cell: ({ value }) => formatSatoshis(parseCoins(value)) },
  ]
  return (
    <Side title={texts.outputs(formatCount(vout.length))}>
      <DataTable label={texts.outputsLabel} rows={vout} columns={columns} keyOf={({ n }) => String(n)} minWidth={300} />
    </Side>
  )
}

function Destination({ output: { scriptPubKey, spentTxId, spentHeight } }: { output: Output }) {
  const { at } = useBitcoinChain()
  const { addresses, type } = scriptPubKey
  const isData = type === 'nulldata'
  return (
    <Stack gap={0}>
      {addresses.map((address) => (
        <Owner key={address} address={address} />
      ))}
      {addresses.length === 0 && <Text size="sm">{isData ? texts.data : texts.noAddressOf(type)}</Text>}
      {spentTxId ? (
        <Anchor component={Link} to={at(`/tx/${spentTxId}`)} size="xs">
          {spentHeight === -1 ? texts.spentUnconfirmed : texts.spent}
        </Anchor>
      ) : (
        !isData && (
          <Text size="xs" c="dimmed">
            {texts.unspent}
          </Text>
        )
      )}
    </Stack>
  )
}

function Owner({ address, otherwise }: { address?: string; otherwise?: string }) {
  const { at } = useBitcoinChain()
  if (!address) return <Text size="sm">{otherwise}</Text>
  return (
    <Anchor component={Link} to={at(`/address/${address}`)} className="mono" style={{ overflowWrap: 'anywhere' }}>
      {address}
    </Anchor>
  )
}

function Side({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Card withBorder component="section" miw={0}>
      <Stack gap="xs">
        <Group justify="space-between">
          <SectionTitle>{title}</SectionTitle>
        </Group>
        {children}
      </Stack>
    </Card>
  )
}
