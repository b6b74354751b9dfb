import { Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { PageLoading } from '../parts/page-loading.js'
import { BillingPage } from './billing-page.js'
import { NewValidatorPage } from './new-validator-page.js'
import { ValidatorPage } from './validator-page.js'
import { ValidatorsPage } from './validators-page.js'

/** Validators: what there is, a new one, one of them, and the bill. */
export default function Staking() {
  return (
    <Suspense fallback={<PageLoading />}>
      <Routes>
        <Route index element={<ValidatorsPage />} />
        <Route path="new" element={<NewValidatorPage />} />
        <Route path="validators/:pubkey" element={<ValidatorPage />} />
        <Route path="billing" element={<BillingPage />} />
        <Route path="*" element={<Navigate to="/app/staking" replace />} />
      </Routes>
    </Suspense>
  )
}
