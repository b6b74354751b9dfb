import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { UnspentOutput } from '@trestle/contracts/btc-connect/addresses'
import { Link } from 'react-router'
import { formatCount, sumOf } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { Time } from '../parts/time.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { formatSatoshis } from './money.js'

const texts = bitcoinTexts.address.unspent

/** The coins an address can spend. */
export function UnspentOutputs({ address }: { address: string }) {
  const { chain, api, unit, at } = useBitcoinChain()
  const query = useQuery({
    queryKey: ['bitcoin', 'unspent', chain, address],
    queryFn: () => api.addresses.outputs({ params: { addr: address } }),
    staleTime: 10_000,
  })
  const columns: readonly Column<UnspentOutput>[] = [
    {
      name: 'output',
      header: texts.output,
      width: '2fr',
      cell: ({ txid, vout }) => (
        <Anchor component={Link} to={at(`/tx/${txid}`)} className="mono">
          {txid.slice(0, 20)}…:{vout}
        </Anchor>
      ),
    },
    { name: 'time', header: texts.time, width: '140px', cell: ({ ts }) => <Time value={ts * 1000} /> },
    {
      name: 'confirmations',
      header: texts.confirmations,
      width: '140px',
      align: 'right',
      cell: ({ confirmations }) => (confirmations > 0 ? formatCount(confirmations) : texts.pending),
    },
    { name: 'value', header: texts.value(unit), width: '180px', align: 'right', cell: ({ satoshis }) => formatSatoshis(satoshis) },
  ]
  return (
    <Loaded query={query} rows={10}>
      {(outputs) => (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {texts.sum(formatCount(outputs.length), `${formatSatoshis(sumOf(outputs.map(({ satoshis }) => BigInt(satoshis))))} ${unit}`)}
          </Text>
          <DataTable label={texts.tab} rows={outputs} columns={columns} keyOf={({ txid, vout }) => `${txid}:${vout}`} empty={texts.none} />
        </>
      )}
    </Loaded>
  )
}
