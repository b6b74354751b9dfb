import { kindOf, Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import type { BrowserRequest, UpstreamAgent } from './browser-request.js'
import { callerHeaders, originOf } from './platform.client.js'

const Granted = z.object({ accessToken: z.string() })
const Providers = z.array(z.object({ id: z.string(), title: z.string() }))
const Begun = z.object({ authorizationUrl: z.url({ protocol: /^https?$/ }), attempt: z.string().regex(/^[\w-]{1,200}$/) })
const Changed = z.looseObject({ accessToken: z.string().optional() })
const Sessions = z.array(z.object({ id: z.string(), current: z.boolean() }))
const Refusal = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

interface SignInCredentials {
  readonly email: string
  readonly password: string
}

interface AccountsRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly authorization?: string
  readonly body?: unknown
}

/** Returns the access token of a new session. */
export async function beginSession(
  platform: UpstreamAgent,
  context: BrowserRequest,
  { email, password }: SignInCredentials,
): Promise<string> {
  // RFC 7617 section 2.1.
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
  return Granted.parse(await send(platform, context, { method: 'POST', path: '/auth', authorization })).accessToken
}

/** Returns the token of a session that a second factor has opened, or a newer one of the same. */
export async function answerChallenge(platform: UpstreamAgent, context: BrowserRequest, body: object): Promise<string> {
  return Granted.parse(await send(platform, context, { method: 'POST', path: '/auth/second-factor', body })).accessToken
}

/** Changes what the user signs in with: returns the reply, and the token that replaces the browser's where it has ended. */
export async function changeCredentials(
  platform: UpstreamAgent,
  context: BrowserRequest,
  change: Pick<AccountsRequest, 'method' | 'path' | 'body'>,
): Promise<{ accessToken?: string; reply: object }> {
  const { accessToken, ...reply } = Changed.parse(await send(platform, context, change))
  return { accessToken, reply }
}

/** Returns the one token that a new password leaves valid. */
export async function replacePassword(platform: UpstreamAgent, context: BrowserRequest, body: object): Promise<string> {
  return Granted.parse(await send(platform, context, { method: 'PUT', path: '/users/me/password', body })).accessToken
}

/** The identity providers, as the page shows them. */
export async function listProviders(platform: UpstreamAgent, context: BrowserRequest): Promise<unknown> {
  return Providers.parse(await send(platform, context, { method: 'GET', path: '/identity-providers' }))
}

/** Where to send the browser, and what it must bring back. `again`: whoever is signed in proves once more who they are. */
export async function beginProviderSignIn(
  platform: UpstreamAgent,
  context: BrowserRequest,
  { provider, again = false }: { provider: string; again?: boolean },
) {
  const path = `/identity-providers/${provider}/${again ? 'step-ups' : 'sign-ins'}`
  return Begun.parse(await send(platform, context, { method: 'POST', path }))
}

/** Returns the access token of a new session. */
export async function finishProviderSignIn(
  platform: UpstreamAgent,
  context: BrowserRequest,
  { provider, ...body }: { provider: string; attempt: string; callback: Record<string, string> },
): Promise<string> {
  return Granted.parse(await send(platform, context, { method: 'POST', path: `/identity-providers/${provider}/sessions`, body }))
    .accessToken
}

/** Ends the session of the browser's token. */
export async function endSession(platform: UpstreamAgent, context: BrowserRequest): Promise<void> {
  const sessions = Sessions.parse(await send(platform, context, { method: 'GET', path: '/users/me/sessions' }))
  const current = sessions.find((session) => session.current)
  if (current) await send(platform, context, { method: 'DELETE', path: `/users/me/sessions/${current.id}` })
}

async function send(platform: UpstreamAgent, context: BrowserRequest, { method, path, authorization, body }: AccountsRequest) {
  const { 'user-agent': userAgent } = context.request.headers
  const received = await platform.agent.request({
    origin: originOf('/accounts', platform),
    path: `/accounts${path}`,
    method,
    headers: {
      ...callerHeaders(context),
      ...(authorization && { authorization }),
      ...(userAgent && { 'user-agent': userAgent }),
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await received.body.text()
  const answer: unknown = text === '' ? undefined : JSON.parse(text)
  if (received.statusCode < 400) return answer
  const { code, detail, errors, ...extensions } = Refusal.parse(answer)
  const wait = received.headers['retry-after']
  throw new Problem(kindOf(received.statusCode), code, detail, { errors, extensions, headers: wait ? { 'retry-after': String(wait) } : {} })
}
