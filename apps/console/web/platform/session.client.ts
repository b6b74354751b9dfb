import type { FactorAnswer } from '@trestle/contracts/accounts/second-factors'
import { kindOf, Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { consoleFetch } from './client.js'

const SessionState = z.object({ signedIn: z.boolean(), manager: z.boolean().optional() })
export type SessionState = z.infer<typeof SessionState>

const SignInProvider = z.object({ id: z.string(), title: z.string() })
export type SignInProvider = z.infer<typeof SignInProvider>
// A script is no address.
const Begun = z.object({ authorizationUrl: z.url({ protocol: /^https?$/ }) })

const ProblemBody = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

export async function readSession(): Promise<SessionState> {
  return SessionState.parse(await (await ask('GET')).json())
}

export async function requestSignIn(email: string, password: string): Promise<void> {
  await ask('POST', { email, password })
}

/** Answers a challenge with a second factor: of a sign-in, or where a fresh proof is demanded. */
export async function requestSecondFactor(answer: FactorAnswer): Promise<void> {
  await ask('POST', answer)
}

export async function requestPasswordChange(oldPassword: string, newPassword: string): Promise<void> {
  await ask('PATCH', { oldPassword, newPassword })
}

export async function requestSignOut(): Promise<void> {
  await ask('DELETE')
}

export async function readProviders(): Promise<SignInProvider[]> {
  return SignInProvider.array().parse(await (await ask('GET', undefined, '/session/providers')).json())
}

/** Returns where the provider asks who the user is; `again` where they are signed in, and have to prove it once more. */
export async function requestProviderSignIn(provider: string, { to, again }: { to: string; again?: boolean }): Promise<string> {
  return Begun.parse(await (await ask('POST', { provider, to, again }, '/session/providers')).json()).authorizationUrl
}

async function ask(method: string, body?: unknown, path = '/session'): Promise<Response> {
  const headers = body === undefined ? undefined : { 'content-type': 'application/json' }
  const response = await consoleFetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  if (response.ok) return response
  const problem = ProblemBody.safeParse(await response.json().catch(() => undefined))
  if (!problem.success) throw new Problem(kindOf(response.status), 'UnexpectedAnswer', `The answer was ${response.status}.`)
  const { code, detail, errors, ...extensions } = problem.data
  throw new Problem(kindOf(response.status), code, detail, { errors, extensions })
}
