import { lazy, Suspense } from 'react'
import { Navigate, Outlet, Route, Routes } from 'react-router'
import { PageLoading } from '../parts/page-loading.js'
import { SignInPage } from './sign-in.js'

const SignUp = lazy(() => import('./sign-up.js'))
const LookIntoMail = lazy(() => import('./check-mail.js'))
const Verify = lazy(() => import('./verify.js'))
const Forgot = lazy(() => import('./forgot.js'))
const Reset = lazy(() => import('./reset.js'))
const EmailConfirm = lazy(() => import('./email-confirm.js'))
const EmailUndo = lazy(() => import('./email-undo.js'))
const Invitation = lazy(() => import('./invitation.js'))

/** The pages before one is signed in. The mails of the accounts area lead to some of them; most who come want the first. */
export function AccountRoutes() {
  return (
    <Routes>
      <Route path="sign-in" element={<SignInPage />} />
      <Route element={<LazyPages />}>
        <Route path="sign-up" element={<SignUp />} />
        <Route path="mail" element={<LookIntoMail />} />
        <Route path="verify/:userId/:token" element={<Verify />} />
        <Route path="forgot" element={<Forgot />} />
        <Route path="reset/:id/:token" element={<Reset />} />
        <Route path="email/:id/:token" element={<EmailConfirm />} />
        <Route path="email-undo/:id/:token" element={<EmailUndo />} />
        <Route path="invitation/:token" element={<Invitation />} />
      </Route>
      <Route path="*" element={<Navigate to="/app/account/sign-in" replace />} />
    </Routes>
  )
}

function LazyPages() {
  return (
    <Suspense fallback={<PageLoading />}>
      <Outlet />
    </Suspense>
  )
}
