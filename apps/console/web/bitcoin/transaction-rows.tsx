import { Anchor } from '@mantine/core'
import type { InsightTransaction } from '@trestle/contracts/btc-connect/transactions'
import { Link } from 'react-router'
import { formatCount } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { feeRate, formatSatoshis, parseCoins } from './money.js'

const texts = bitcoinTexts.transactions

/** Transactions of a block, in its order. */
export function TransactionRows({ label, transactions }: { label: string; transactions: readonly InsightTransaction[] }) {
  const { at, unit } = useBitcoinChain()
  const columns: readonly Column<InsightTransaction>[] = [
    {
      name: 'id',
      header: texts.id,
      width: '2fr',
      cell: ({ txid, isCoinBase }) => (
        <>
          <Anchor component={Link} to={at(`/tx/${txid}`)} className="mono">
            {txid.slice(0, 20)}…
          </Anchor>
          {isCoinBase && ` ${texts.coinbase}`}
        </>
      ),
    },
    {
      name: 'ways',
      header: texts.ways,
      align: 'right',
      cell: ({ vin, vout }) => `${formatCount(vin.length)} → ${formatCount(vout.length)}`,
    },
    { name: 'value', header: texts.value(unit), align: 'right', cell: ({ valueOut }) => formatSatoshis(parseCoins(valueOut)) },
    {
      name: 'fee',
      header: texts.fee(unit),
      align: 'right',
      cell: ({ fees }) => (fees === undefined ? '–' : formatSatoshis(parseCoins(fees))),
    },
    { name: 'rate', header: texts.rate, align: 'right', cell: (transaction) => feeRate(transaction) ?? '–' },
  ]
  return <DataTable label={label} rows={transactions} columns={columns} keyOf={({ txid }) => txid} minWidth={640} />
}
