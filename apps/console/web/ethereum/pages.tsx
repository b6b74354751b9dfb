import { Outlet, Route, Routes, useParams } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { FirstChain, WithinChain } from '../parts/choose-chain.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { ethereumPath } from './chain.js'
import { NewProjectPage } from './new-project-page.js'
import { PlaygroundPage } from './playground/playground-page.js'
import { ProjectPage } from './project-page.js'
import { ProjectsPage } from './projects-page.js'

/** JSON-RPC of the chains of the Ethereum family. */
export default function Pages() {
  return (
    <Routes>
      <Route index element={<FirstChain area="eth-rpc" to={ethereumPath} title={ethereumTexts.title} />} />
      <Route path=":chain" element={<ChainOutlet />}>
        <Route index element={<ProjectsPage />} />
        <Route path="new" element={<NewProjectPage />} />
        <Route path="projects/:id/:tab?" element={<ProjectPage />} />
        <Route path="playground" element={<PlaygroundPage />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}

function ChainOutlet() {
  const { chain = '' } = useParams()
  return (
    <WithinChain area="eth-rpc" chain={chain} to={ethereumPath}>
      <Outlet key={chain} context={chain} />
    </WithinChain>
  )
}
