import { kindOf, Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { own } from './client.js'

const SessionState = z.object({ signedIn: z.boolean(), manager: z.boolean().optional() })
export type SessionState = z.infer<typeof SessionState>

const Said = z.object({
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

export async function requestPasswordChange(oldPassword: string, newPassword: string): Promise<void> {
  await ask('PATCH', { oldPassword, newPassword })
}

export async function requestSignOut(): Promise<void> {
  await ask('DELETE')
}

async function ask(method: string, body?: unknown): Promise<Response> {
  const headers = body === undefined ? undefined : { 'content-type': 'application/json' }
  const response = await own('/session', { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  if (response.ok) return response
  const said = Said.safeParse(await response.json().catch(() => undefined))
  if (!said.success) throw new Problem(kindOf(response.status), 'UnexpectedAnswer', `The answer was ${response.status}.`)
  throw new Problem(kindOf(response.status), said.data.code, said.data.detail, { errors: said.data.errors })
}
