import { Anchor } from '@mantine/core'
import type { Transaction } from '@trestle/contracts/btc-connect/transactions'
import { Link } from 'react-router'
import { count } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { bitcoin } from '../texts/bitcoin.js'
import { useChain } from './chain.js'
import { feeRate, inCoins, satoshis } from './money.js'

const texts = bitcoin.transactions

/** Transactions of a block, in its order. */
export function TransactionRows({ label, transactions }: { label: string; transactions: readonly Transaction[] }) {
  const { at, unit } = useChain()
  const columns: readonly Column<Transaction>[] = [
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
    { name: 'ways', header: texts.ways, align: 'right', cell: ({ vin, vout }) => `${count(vin.length)} → ${count(vout.length)}` },
    { name: 'value', header: texts.value(unit), align: 'right', cell: ({ valueOut }) => inCoins(satoshis(valueOut)) },
    {
      name: 'fee',
      header: texts.fee(unit),
      align: 'right',
      cell: ({ fees }) => (fees === undefined ? '–' : inCoins(satoshis(fees))),
    },
    { name: 'rate', header: texts.rate, align: 'right', cell: (transaction) => feeRate(transaction) ?? '–' },
  ]
  return <DataTable label={label} rows={transactions} columns={columns} keyOf={({ txid }) => txid} minWidth={640} />
}
