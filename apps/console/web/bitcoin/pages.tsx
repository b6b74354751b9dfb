import { Outlet, Route, Routes, useParams } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { FirstChain, OfChain } from '../parts/choose-chain.js'
import { bitcoin } from '../texts/bitcoin.js'
import { Address } from './address.js'
import { Block } from './block.js'
import { Blocks } from './blocks.js'
import { Broadcast } from './broadcast.js'
import { isChain, pathOf } from './chain.js'
import { Overview } from './overview.js'
import { Transaction } from './transaction.js'

/** What is on the chains of the Bitcoin family. */
export default function Pages() {
  return (
    <Routes>
      <Route index element={<FirstChain area="btc-connect" to={pathOf} title={bitcoin.title} />} />
      <Route path=":chain" element={<Chain />}>
        <Route index element={<Overview />} />
        <Route path="blocks" element={<Blocks />} />
        <Route path="block/:hash" element={<Block />} />
        <Route path="tx/:id" element={<Transaction />} />
        <Route path="address/:address/:tab?" element={<Address />} />
        <Route path="broadcast" element={<Broadcast />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}

function Chain() {
  const { chain = '', hash, id, address } = useParams()
  if (!isChain(chain)) return <NotFound />
  return (
    <OfChain area="btc-connect" chain={chain} to={pathOf}>
      {/* Another block, transaction or address is another page: nothing of the one before stays in it. */}
      <Outlet key={[chain, hash, id, address].join()} context={chain} />
    </OfChain>
  )
}
