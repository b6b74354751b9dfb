import { Card } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AddressSummary } from '@trestle/contracts/btc-connect/addresses'
import { useRef } from 'react'
import { useParams } from 'react-router'
import { formatCount } from '../parts/amount.js'
import { Hash } from '../parts/copy-button.js'
import { FactList } from '../parts/fact-list.js'
import { Loaded } from '../parts/loaded.js'
import { PageTabs } from '../parts/page-tabs.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { ChainPage } from './chain-page.js'
import { HistoryTable, useNewest } from './history-table.js'
import { formatChange, formatSatoshis } from './money.js'
import { UnspentOutputs } from './unspent.js'
import { refetchMs, useChainEvents } from './use-chain-events.js'

const texts = bitcoinTexts.address

/** What an address has, and all that ever happened to it. */
export function AddressPage() {
  const { address = '', tab } = useParams()
  const { chain, api, at } = useBitcoinChain()
  const refresh = useRefresh(address)
  const isLive = useChainEvents(chain, { events: 'address', address }, refresh)
  const query = useQuery({
    queryKey: ['bitcoin', 'address', chain, address],
    queryFn: () => api.addresses.summary({ params: { addr: address }, query: { noTxList: '1' } }),
    refetchInterval: ({ state: { error } }) => refetchMs(isLive, error),
  })
  return (
    <ChainPage title={texts.title} description={<Hash value={address} label={texts.copy} />}>
      <Loaded query={query} rows={8}>
        {(summary) => (
          <>
            <Balances summary={summary} />
            <PageTabs
              label={texts.tabs}
              page={at(`/address/${encodeURIComponent(address)}`)}
              tab={tab}
              tabs={[
                {
                  at: 'history',
                  label: texts.history,
                  content: () => <HistoryTable address={summary.addrStr} isLive={isLive} total={countOf(summary)} />,
                },
                { at: 'utxos', label: texts.unspent.tab, content: () => <UnspentOutputs address={summary.addrStr} /> },
              ]}
            />
          </>
        )}
      </Loaded>
    </ChainPage>
  )
}

const MIN_REFRESH_MS = 2000

/** A busy address is told of many times a second: it is asked about as often as one can look. */
function useRefresh(address: string): () => void {
  const { chain } = useBitcoinChain()
  const client = useQueryClient()
  const refreshNewest = useNewest()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void client.invalidateQueries({ queryKey: ['bitcoin', 'address', chain, address] })
      void client.invalidateQueries({ queryKey: ['bitcoin', 'unspent', chain] })
      void refreshNewest(address)
    }, MIN_REFRESH_MS)
  }
}

function Balances({ summary }: { summary: AddressSummary }) {
  const { unit } = useBitcoinChain()
  const { balanceSat, unconfirmedBalanceSat, totalReceivedSat, totalSentSat, txApperances, unconfirmedTxApperances } = summary
  return (
    <Card withBorder>
      <FactList
        columns={3}
        facts={[
          [texts.balance, <strong key="balance">{`${formatSatoshis(balanceSat)} ${unit}`}</strong>],
          [texts.unconfirmed, `${formatChange(BigInt(unconfirmedBalanceSat))} ${unit}`],
          [texts.transactions, texts.counted(formatCount(txApperances), unconfirmedTxApperances)],
          [texts.received, `${formatSatoshis(totalReceivedSat)} ${unit}`],
          [texts.sent, `${formatSatoshis(totalSentSat)} ${unit}`],
        ]}
      />
    </Card>
  )
}

function countOf({ txApperances, unconfirmedTxApperances }: AddressSummary): number {
  return txApperances + unconfirmedTxApperances
}
