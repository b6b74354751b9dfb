import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { answerChallenge, beginSession, endSession, replacePassword } from './accounts.client.js'
import type { BrowserRequest, UpstreamAgent } from './browser-request.js'
import { readJsonBody } from './json-body.js'
import { cookieFor, noCookie, tokenOf, unverifiedClaims } from './session-cookie.js'

const Password = z.string().min(1).max(1024)
const Credentials = z.object({ email: z.string().min(1).max(320), password: Password })
/** The platform judges it. */
const FactorAnswer = z.looseObject({ challenge: z.string() })
const SignIn = z.union([Credentials, FactorAnswer])
const PasswordChange = z.object({ oldPassword: Password, newPassword: Password })

/** `/session`: the token itself stays in the cookie. */
export async function answerSession(platform: UpstreamAgent, context: BrowserRequest): Promise<void> {
  const { request, secure } = context
  switch (request.method) {
    case 'GET':
      return sendState(context)
    case 'POST':
      return sendCookie(context, cookieFor(await openSession(platform, context), secure))
    case 'PATCH':
      return sendCookie(context, cookieFor(await replacePassword(platform, context, await readJsonBody(request, PasswordChange)), secure))
    case 'DELETE':
      // The token is forgotten also where the platform does not answer.
      await endSession(platform, context).catch(() => undefined)
      return sendCookie(context, noCookie(secure))
    default:
      throw new Problem('method-not-allowed', 'MethodNotAllowed', 'A session takes GET, POST, PATCH (a new password) and DELETE.')
  }
}

/** A sign-in has two steps where the user has a second factor; the second one also renews the token of a session. */
async function openSession(platform: UpstreamAgent, context: BrowserRequest): Promise<string> {
  const given = await readJsonBody(context.request, SignIn)
  return 'challenge' in given ? answerChallenge(platform, context, given) : beginSession(platform, context, given)
}

function sendState({ request, response, secure }: BrowserRequest): void {
  const claims = unverifiedClaims(tokenOf({ cookie: request.headers.cookie, secure }) ?? '')
  const state = claims
    ? { signedIn: true, expiresAt: new Date(claims.exp * 1000).toISOString(), manager: claims.aud.includes('manager') }
    : { signedIn: false }
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(state))
}

function sendCookie({ response }: BrowserRequest, cookie: string): void {
  response.writeHead(204, { 'set-cookie': cookie, 'cache-control': 'no-store' }).end()
}
