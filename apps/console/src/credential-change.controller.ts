import { z } from 'zod'
import { changeCredentials } from './accounts.client.js'
import type { BrowserRequest, UpstreamAgent } from './browser-request.js'
import { readJsonBody } from './json-body.js'
import { cookieFor } from './session-cookie.js'

const PREFIX = '/api/accounts'
const CHANGES = [`${PREFIX}/users/me/second-factors/`, `${PREFIX}/users/me/identities/`]
const METHODS = ['POST', 'PATCH', 'DELETE'] as const
/** The platform judges it. */
const Body = z.looseObject({})

/** Changes of second factors and identities may replace the token: like every other, it stays in the cookie. */
export function isCredentialChange({ request: { method }, url }: BrowserRequest): boolean {
  return CHANGES.some((path) => url.pathname.startsWith(path)) && METHODS.some((each) => each === method)
}

export async function answerCredentialChange(platform: UpstreamAgent, context: BrowserRequest): Promise<void> {
  const { request, response, secure, url } = context
  const method = METHODS.find((each) => each === request.method) ?? 'POST'
  const path = url.pathname.slice(PREFIX.length)
  const body = Number(request.headers['content-length'] ?? 0) > 0 ? await readJsonBody(request, Body) : undefined
  const { accessToken, reply } = await changeCredentials(platform, context, { method, path, body })
  const cookie = accessToken ? { 'set-cookie': cookieFor(accessToken, secure) } : {}
  response.writeHead(200, { ...cookie, 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(reply))
}
