import { Alert, Anchor, Badge, Card, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { InsightTransaction } from '@trestle/contracts/btc-connect/transactions'
import { Link, useParams } from 'react-router'
import { formatBytes, formatCount } from '../parts/amount.js'
import { Hash } from '../parts/copy-button.js'
import { FactList } from '../parts/fact-list.js'
import { Loaded } from '../parts/loaded.js'
import { exactTime, Time } from '../parts/time.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { ChainPage } from './chain-page.js'
import { Inputs, Outputs } from './inputs-and-outputs.js'
import { feeRate, formatSatoshis, parseCoins } from './money.js'
import { RawTransaction } from './raw-transaction.js'

const texts = bitcoinTexts.transaction
/** Nobody waits for more than these. */
const SETTLED_CONFIRMATIONS = 6

/** One transaction: where its coins come from, where they go. */
export function TransactionPage() {
  const { id = '' } = useParams()
  const { chain, api } = useBitcoinChain()
  const query = useQuery({
    queryKey: ['bitcoin', 'transaction', chain, id],
    queryFn: () => api.transactions.one({ params: { hash: id } }),
    refetchInterval: ({ state: { data } }) => (data && data.confirmations >= SETTLED_CONFIRMATIONS ? 60_000 : 5_000),
  })
  return (
    <ChainPage title={texts.title} description={<Hash value={id} label={texts.copyId} />}>
      <Loaded query={query} rows={8}>
        {(transaction) => (
          <>
            <DoubleSpent transaction={transaction} />
            <Summary transaction={transaction} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <Inputs transaction={transaction} />
              <Outputs transaction={transaction} />
            </SimpleGrid>
            <RawTransaction id={id} />
          </>
        )}
      </Loaded>
    </ChainPage>
  )
}

function Summary({ transaction }: { transaction: InsightTransaction }) {
  const { unit } = useBitcoinChain()
  const { time, size, valueIn, valueOut, fees, version, locktime } = transaction
  const rate = feeRate(transaction)
  return (
    <Card withBorder>
      <FactList
        columns={3}
        facts={[
          [texts.state, <Confirmations key="state" transaction={transaction} />],
          [texts.block, <InBlock key="block" transaction={transaction} />],
          [
            transaction.confirmations > 0 ? texts.time : texts.firstSeen,
            <>
              {exactTime(time * 1000)} (<Time value={time * 1000} />)
            </>,
          ],
          valueIn !== undefined && [texts.valueIn, `${formatSatoshis(parseCoins(valueIn))} ${unit}`],
          [texts.valueOut, `${formatSatoshis(parseCoins(valueOut))} ${unit}`],
          [texts.fee, fees === undefined ? texts.noFee : `${formatSatoshis(parseCoins(fees))} ${unit}`],
          rate !== undefined && [texts.rate, texts.perByte(rate)],
          [texts.size, formatBytes(size)],
          [texts.version, `${version}, ${texts.locktime} ${locktime}`],
        ]}
      />
    </Card>
  )
}

function Confirmations({ transaction: { confirmations } }: { transaction: InsightTransaction }) {
  const isIn = confirmations > 0
  return (
    <Badge variant="light" color={isIn ? 'teal' : 'yellow'} tt="none" aria-live="polite">
      {isIn ? texts.confirmations(confirmations, formatCount(confirmations)) : texts.unconfirmed}
    </Badge>
  )
}

function InBlock({ transaction: { blockhash, blockheight } }: { transaction: InsightTransaction }) {
  const { at } = useBitcoinChain()
  if (!blockhash) return texts.inMempool
  return (
    <Anchor component={Link} to={at(`/block/${blockhash}`)}>
      {formatCount(blockheight)}
    </Anchor>
  )
}

/** Two transactions spend the same coins: only one can be confirmed. */
function DoubleSpent({ transaction: { vin, confirmations } }: { transaction: InsightTransaction }) {
  const { at } = useBitcoinChain()
  const rivals = new Set(vin.flatMap((input) => ('doubleSpentTxID' in input && input.doubleSpentTxID ? [input.doubleSpentTxID] : [])))
  if (rivals.size === 0) return null
  return (
    <Alert color="yellow" title={texts.doubleSpent.title}>
      {confirmations > 0 ? texts.doubleSpent.confirmed : texts.doubleSpent.open}{' '}
      {[...rivals].map((rival) => (
        <Anchor key={rival} component={Link} to={at(`/tx/${rival}`)} className="mono">
          {rival.slice(0, 16)}…{' '}
        </Anchor>
      ))}
    </Alert>
  )
}
