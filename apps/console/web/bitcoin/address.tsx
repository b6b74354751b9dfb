import { Card } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Address as AddressShape } from '@trestle/contracts/btc-connect/addresses'
import { useRef } from 'react'
import { useParams } from 'react-router'
import { count } from '../parts/amount.js'
import { Hash } from '../parts/copy.js'
import { Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import { PageTabs } from '../parts/page-tabs.js'
import { bitcoin } from '../texts/bitcoin.js'
import { useChain } from './chain.js'
import { pace, useEvents } from './events.js'
import { Frame } from './frame.js'
import { History, useNewest } from './history-table.js'
import { change, inCoins } from './money.js'
import { Unspent } from './unspent.js'

const texts = bitcoin.address

/** What an address has, and all that ever happened to it. */
export function Address() {
  const { address = '', tab } = useParams()
  const { chain, api, at } = useChain()
  const refresh = useRefresh(address)
  const isLive = useEvents(chain, { events: 'address', address }, refresh)
  const query = useQuery({
    queryKey: ['bitcoin', 'address', chain, address],
    queryFn: () => api.addresses.summary({ params: { addr: address }, query: { noTxList: '1' } }),
    refetchInterval: ({ state: { error } }) => pace(isLive, error),
  })
  return (
    <Frame title={texts.title} description={<Hash value={address} label={texts.copy} />}>
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
                  content: () => <History address={summary.addrStr} isLive={isLive} total={countOf(summary)} />,
                },
                { at: 'utxos', label: texts.unspent.tab, content: () => <Unspent address={summary.addrStr} /> },
              ]}
            />
          </>
        )}
      </Loaded>
    </Frame>
  )
}

const SHORTEST_MS = 2000

/** A busy address is told of many times a second: it is asked about as often as one can look. */
function useRefresh(address: string): () => void {
  const { chain } = useChain()
  const client = useQueryClient()
  const refreshNewest = useNewest()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void client.invalidateQueries({ queryKey: ['bitcoin', 'address', chain, address] })
      void client.invalidateQueries({ queryKey: ['bitcoin', 'unspent', chain] })
      void refreshNewest(address)
    }, SHORTEST_MS)
  }
}

function Balances({ summary }: { summary: AddressShape }) {
  const { unit } = useChain()
  const { balanceSat, unconfirmedBalanceSat, totalReceivedSat, totalSentSat, txApperances, unconfirmedTxApperances } = summary
  return (
    <Card withBorder>
      <Facts
        columns={3}
        facts={[
          [texts.balance, <strong key="balance">{`${inCoins(balanceSat)} ${unit}`}</strong>],
          [texts.unconfirmed, `${change(BigInt(unconfirmedBalanceSat))} ${unit}`],
          [texts.transactions, texts.counted(count(txApperances), unconfirmedTxApperances)],
          [texts.received, `${inCoins(totalReceivedSat)} ${unit}`],
          [texts.sent, `${inCoins(totalSentSat)} ${unit}`],
        ]}
      />
    </Card>
  )
}

function countOf({ txApperances, unconfirmedTxApperances }: AddressShape): number {
  return txApperances + unconfirmedTxApperances
}
