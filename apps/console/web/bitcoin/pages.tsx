import { Outlet, Route, Routes, useParams } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { FirstChain, WithinChain } from '../parts/choose-chain.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { AddressPage } from './address-page.js'
import { BlockPage } from './block-page.js'
import { BlocksPage } from './blocks-page.js'
import { BroadcastPage } from './broadcast-page.js'
import { bitcoinPath } from './chain.js'
import { BitcoinOverviewPage } from './overview-page.js'
import { TransactionPage } from './transaction-page.js'

/** What is on the chains of the Bitcoin family. */
export default function Pages() {
  return (
    <Routes>
      <Route index element={<FirstChain area="btc-connect" to={bitcoinPath} title={bitcoinTexts.title} />} />
      <Route path=":chain" element={<ChainOutlet />}>
        <Route index element={<BitcoinOverviewPage />} />
        <Route path="blocks" element={<BlocksPage />} />
        <Route path="block/:hash" element={<BlockPage />} />
        <Route path="tx/:id" element={<TransactionPage />} />
        <Route path="address/:address/:tab?" element={<AddressPage />} />
        <Route path="broadcast" element={<BroadcastPage />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}

function ChainOutlet() {
  const { chain = '', hash, id, address } = useParams()
  return (
    <WithinChain area="btc-connect" chain={chain} to={bitcoinPath}>
      {/* Another block, transaction or address is another page: nothing of the one before stays in it. */}
      <Outlet key={[chain, hash, id, address].join()} context={chain} />
    </WithinChain>
  )
}
