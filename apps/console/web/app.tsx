import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { AccountRoutes } from './accounts/account-routes.js'
import { NotFound } from './layout/not-found.js'
import { RequireSession } from './layout/require-session.js'
import { Shell } from './layout/shell.js'
import { OverviewPage } from './overview/overview-page.js'

// The pages that one comes to first are here at once, the others when they are opened.
const Keys = lazy(() => import('./accounts/keys.js'))
const Organization = lazy(() => import('./accounts/organization.js'))
const Nodes = lazy(() => import('./nodes/pages.js'))
const Clusters = lazy(() => import('./nodes/cluster-pages.js'))
const Staking = lazy(() => import('./staking/pages.js'))
const Bitcoin = lazy(() => import('./bitcoin/pages.js'))
const Ethereum = lazy(() => import('./ethereum/pages.js'))
const Activity = lazy(() => import('./activity/activity-page.js'))
const Device = lazy(() => import('./accounts/device.js'))
const Deleted = lazy(() => import('./deleted/deleted-page.js'))
const Settings = lazy(() => import('./settings/settings-page.js'))
const Administration = lazy(() => import('./administration/pages.js'))

/** Every address of the console. All stand under /app: the areas own the rest. */
export function App() {
  return (
    <Routes>
      <Route path="/" element={<Navigate to="/app" replace />} />
      <Route path="/app/account/*" element={<AccountRoutes />} />
      <Route element={<RequireSession />}>
        <Route path="/app" element={<Shell />}>
          <Route index element={<OverviewPage />} />
          <Route path="keys" element={<Keys />} />
          <Route path="organization/*" element={<Organization />} />
          <Route path="nodes/*" element={<Nodes />} />
          <Route path="clusters/*" element={<Clusters />} />
          <Route path="staking/*" element={<Staking />} />
          <Route path="bitcoin/*" element={<Bitcoin />} />
          <Route path="ethereum/*" element={<Ethereum />} />
          <Route path="activity" element={<Activity />} />
          <Route path="deleted" element={<Deleted />} />
          <Route path="device" element={<Device />} />
          <Route path="settings" element={<Settings />} />
          <Route path="administration/*" element={<Administration />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Route>
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
