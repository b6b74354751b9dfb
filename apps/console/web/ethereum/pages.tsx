import { Outlet, Route, Routes, useParams } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { FirstChain, OfChain } from '../parts/choose-chain.js'
import { ethereum } from '../texts/ethereum.js'
import { isChain, pathOf } from './chain.js'
import { NewProject } from './new-project.js'
import { Playground } from './playground/playground.js'
import { Project } from './project.js'
import { Projects } from './projects.js'

/** JSON-RPC of the chains of the Ethereum family. */
export default function Pages() {
  return (
    <Routes>
      <Route index element={<FirstChain area="eth-rpc" to={pathOf} title={ethereum.title} />} />
      <Route path=":chain" element={<Chain />}>
        <Route index element={<Projects />} />
        <Route path="new" element={<NewProject />} />
        <Route path="projects/:id/:tab?" element={<Project />} />
        <Route path="playground" element={<Playground />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}

function Chain() {
  const { chain = '' } = useParams()
  if (!isChain(chain)) return <NotFound />
  return (
    <OfChain area="eth-rpc" chain={chain} to={pathOf}>
      <Outlet key={chain} context={chain} />
    </OfChain>
  )
}
