import { Route, Routes } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { NewWorkloadPage } from './new-workload-page.js'
import { NodeList } from './node-list.js'
import { NodePage } from './node-page.js'

/** /app/nodes */
export default function NodePages() {
  return (
    <Routes>
      <Route index element={<NodeList />} />
      <Route path="new" element={<NewWorkloadPage kind="node" />} />
      <Route path=":id/:tab?" element={<NodePage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
