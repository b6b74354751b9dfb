import { lazy, Suspense } from 'react'
import { Navigate, Outlet, Route, Routes } from 'react-router'
import { Waiting } from '../parts/waiting.js'
import { SignIn } from './sign-in.js'

const SignUp = lazy(() => import('./sign-up.js'))
const LookIntoMail = lazy(() => import('./look-into-mail.js'))
const Verify = lazy(() => import('./verify.js'))
const Forgot = lazy(() => import('./forgot.js'))
const Reset = lazy(() => import('./reset.js'))
const Invitation = lazy(() => import('./invitation.js'))

/** The pages before one is signed in. The mails of the accounts area lead to some of them; most who come want the first. */
export function Entrance() {
  return (
    <Routes>
      <Route path="sign-in" element={<SignIn />} />
      <Route element={<Others />}>
        <Route path="sign-up" element={<SignUp />} />
        <Route path="mail" element={<LookIntoMail />} />
        <Route path="verify/:userId/:token" element={<Verify />} />
        <Route path="forgot" element={<Forgot />} />
        <Route path="reset/:id/:token" element={<Reset />} />
        <Route path="invitation/:token" element={<Invitation />} />
      </Route>
      <Route path="*" element={<Navigate to="/app/account/sign-in" replace />} />
    </Routes>
  )
}

function Others() {
  return (
    <Suspense fallback={<Waiting />}>
      <Outlet />
    </Suspense>
  )
}
