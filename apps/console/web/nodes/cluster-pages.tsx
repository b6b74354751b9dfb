import { Route, Routes } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { ClusterList } from './cluster-list.js'
import { ClusterPage } from './cluster-page.js'
import { NewWorkloadPage } from './new-workload-page.js'

/** /app/clusters */
export default function ClusterPages() {
  return (
    <Routes>
      <Route index element={<ClusterList />} />
      <Route path="new" element={<NewWorkloadPage kind="cluster" />} />
      <Route path=":id/:tab?" element={<ClusterPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
