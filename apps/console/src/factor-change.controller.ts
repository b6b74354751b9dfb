import { z } from 'zod'
import { changeFactors } from './accounts.client.js'
import type { BrowserRequest, UpstreamAgent } from './browser-request.js'
import { readJsonBody } from './json-body.js'
import { cookieFor } from './session-cookie.js'

const PREFIX = '/api/accounts'
const FACTORS = `${PREFIX}/users/me/second-factors/`
const METHODS = ['POST', 'PATCH', 'DELETE'] as const
/** The platform judges it. */
const Body = z.looseObject({})

/** Changes of second factors may replace the token: like every other, it stays in the cookie. */
export function isFactorChange({ request: { method }, url }: BrowserRequest): boolean {
  return url.pathname.startsWith(FACTORS) && METHODS.some((each) => each === method)
}

export async function answerFactorChange(platform: UpstreamAgent, context: BrowserRequest): Promise<void> {
  const { request, response, secure, url } = context
  const method = METHODS.find((each) => each === request.method) ?? 'POST'
  const path = url.pathname.slice(PREFIX.length)
  const body = Number(request.headers['content-length'] ?? 0) > 0 ? await readJsonBody(request, Body) : undefined
  const { accessToken, reply } = await changeFactors(platform, context, { method, path, body })
  const cookie = accessToken ? { 'set-cookie': cookieFor(accessToken, secure) } : {}
  response.writeHead(200, { ...cookie, 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(reply))
}
