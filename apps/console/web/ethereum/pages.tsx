import { Outlet, Route, Routes, useParams } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { FirstChain, OfChain } from '../parts/choose-chain.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { isChain, pathOf } from './chain.js'
import { NewProjectPage } from './new-project-page.js'
import { PlaygroundPage } from './playground/playground-page.js'
import { ProjectPage } from './project-page.js'
import { ProjectsPage } from './projects-page.js'

/** JSON-RPC of the chains of the Ethereum family. */
export default function Pages() {
  return (
    <Routes>
      <Route index element={<FirstChain area="eth-rpc" to={pathOf} title={ethereumTexts.title} />} />
      <Route path=":chain" element={<Chain />}>
        <Route index element={<ProjectsPage />} />
        <Route path="new" element={<NewProjectPage />} />
        <Route path="projects/:id/:tab?" element={<ProjectPage />} />
        <Route path="playground" element={<PlaygroundPage />} />
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
