import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { beginProviderSignIn, finishProviderSignIn, listProviders } from './accounts.client.js'
import type { BrowserRequest, UpstreamAgent } from './browser-request.js'
import { readJsonBody } from './json-body.js'
import { cookieFor } from './session-cookie.js'
import { noSignInCookie, pageOf, signInCookie, signInOf } from './sign-in-cookie.js'

const CALLBACK = /^\/session\/callback\/([a-z][a-z0-9-]{0,39})$/
const Begin = z.object({
  provider: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  to: z.string().max(1000).optional(),
  again: z.boolean().optional(),
})

/** The id of the provider from which a browser comes back. */
export function callbackOf({ request: { method }, url }: BrowserRequest): string | undefined {
  return method === 'GET' ? CALLBACK.exec(url.pathname)?.[1] : undefined
}

/** `/session/providers`: where companies sign in; and the way there, with a cookie that the way back needs. */
export async function answerProviders(platform: UpstreamAgent, context: BrowserRequest): Promise<void> {
  const { request, response, secure } = context
  if (request.method === 'GET') return sendJson(context, await listProviders(platform, context))
  if (request.method !== 'POST') throw new Problem('method-not-allowed', 'MethodNotAllowed', 'Providers take GET, and POST to sign in.')
  const { provider, to, again } = await readJsonBody(request, Begin)
  const { authorizationUrl, attempt } = await beginProviderSignIn(platform, context, { provider, again })
  response.setHeader('set-cookie', signInCookie({ attempt, to: pageOf(to) }, secure))
  sendJson(context, { authorizationUrl })
}

/** A browser that a provider has sent back: signed in, or at the sign-in page with the reason. */
export async function answerCallback(platform: UpstreamAgent, context: BrowserRequest, provider: string): Promise<void> {
  const { request, url, secure } = context
  const progress = signInOf({ cookie: request.headers.cookie, secure })
  if (!progress) return redirect(context, signInPage('SignInExpired', '/app'), [])
  try {
    const callback = Object.fromEntries(url.searchParams)
    const token = await finishProviderSignIn(platform, context, { provider, attempt: progress.attempt, callback })
    redirect(context, progress.to, [cookieFor(token, secure), noSignInCookie(secure)])
  } catch (error) {
    redirect(context, signInAgain(error, progress.to), [noSignInCookie(secure)])
  }
}

function signInPage(problem: string, to: string): string {
  return `/app/account/sign-in?${new URLSearchParams({ problem, to })}`
}

/** Who has a second factor is asked for it there. The challenge is in the fragment, which no log or server sees. */
function signInAgain(error: unknown, to: string): string {
  if (!(error instanceof Problem)) return signInPage('Unreachable', to)
  if (error.code !== 'SecondFactorRequired') return signInPage(error.code, to)
  return `/app/account/sign-in?${new URLSearchParams({ to })}#challenge=${encodeURIComponent(JSON.stringify(error.extensions))}`
}

function redirect({ response }: BrowserRequest, location: string, cookies: string[]): void {
  response.writeHead(303, { location, 'set-cookie': cookies, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).end()
}

function sendJson({ response }: BrowserRequest, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
}
