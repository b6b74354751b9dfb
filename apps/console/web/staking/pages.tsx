import { Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { Waiting } from '../parts/waiting.js'
import { BillingPage } from './billing-page.js'
import { ListPage } from './list-page.js'
import { NewPage } from './new-page.js'
import { ValidatorPage } from './validator-page.js'

/** Validators: what there is, a new one, one of them, and the bill. */
export default function Staking() {
  return (
    <Suspense fallback={<Waiting />}>
      <Routes>
        <Route index element={<ListPage />} />
        <Route path="new" element={<NewPage />} />
        <Route path="validators/:pubkey" element={<ValidatorPage />} />
        <Route path="billing" element={<BillingPage />} />
        <Route path="*" element={<Navigate to="/app/staking" replace />} />
      </Routes>
    </Suspense>
  )
}
