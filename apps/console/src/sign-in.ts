import { kindOf, Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import type { Behind, Exchange } from './exchange.js'
import { callerHeaders } from './pass-on.js'
import { claimsOf, cookieFor, noCookie, tokenOf } from './session-cookie.js'
import { originOf } from './upstream.js'

const Credentials = z.object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1024) })
const PasswordChange = z.object({ oldPassword: z.string().min(1).max(1024), newPassword: z.string().min(1).max(1024) })
const Granted = z.object({ accessToken: z.string() })
const Sessions = z.array(z.object({ id: z.string(), current: z.boolean() }))
const MAX_BODY = 16_384

/** Whether somebody is signed in here, and as what. */
export function tellSession(exchange: Exchange): void {
  const claims = claimsOfVisitor(exchange)
  const state = claims
    ? { signedIn: true, expiresAt: new Date(claims.exp * 1000).toISOString(), manager: claims.aud.includes('manager') }
    : { signedIn: false }
  exchange.response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(state))
}

/** The same in a word, for the page itself: `manager`, `account`, or nothing of whom it does not know. */
export function roleOf(exchange: Exchange): string {
  const claims = claimsOfVisitor(exchange)
  if (!claims) return ''
  return claims.aud.includes('manager') ? 'manager' : 'account'
}

function claimsOfVisitor({ request, secure }: Exchange) {
  return claimsOf(tokenOf({ cookie: request.headers.cookie, secure }) ?? '')
}

/** Signs in for the page: the token stays in the cookie. */
export async function signIn(behind: Behind, exchange: Exchange): Promise<void> {
  const { email, password } = await bodyOf(exchange, Credentials)
  // RFC 7617 section 2.1.
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
  const { accessToken } = Granted.parse(await ask(behind, exchange, { method: 'POST', path: '/auth', authorization }))
  settle(exchange, cookieFor(accessToken, exchange.secure))
}

/** A new password ends every token but the one in its answer, so that answer comes this way too. */
export async function changePassword(behind: Behind, exchange: Exchange): Promise<void> {
  const body = await bodyOf(exchange, PasswordChange)
  const { accessToken } = Granted.parse(await ask(behind, exchange, { method: 'PUT', path: '/users/me/password', body }))
  settle(exchange, cookieFor(accessToken, exchange.secure))
}

/** Ends the session itself where the platform answers, and forgets the token in any case. */
export async function signOut(behind: Behind, exchange: Exchange): Promise<void> {
  await endSession(behind, exchange).catch(() => undefined)
  settle(exchange, noCookie(exchange.secure))
}

async function endSession(behind: Behind, exchange: Exchange): Promise<void> {
  const sessions = Sessions.parse(await ask(behind, exchange, { method: 'GET', path: '/users/me/sessions' }))
  const current = sessions.find((session) => session.current)
  if (current) await ask(behind, exchange, { method: 'DELETE', path: `/users/me/sessions/${current.id}` })
}

interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  authorization?: string
  body?: unknown
}

async function ask(behind: Behind, exchange: Exchange, { method, path, authorization, body }: Question): Promise<unknown> {
  const {
    statusCode,
    headers,
    body: received,
  } = await behind.agent.request({
    origin: originOf('/accounts', behind),
    path: `/accounts${path}`,
    method,
    headers: {
      ...callerHeaders(exchange),
      ...(authorization && { authorization }),
      ...(exchange.request.headers['user-agent'] && { 'user-agent': exchange.request.headers['user-agent'] }),
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await received.text()
  if (statusCode < 400) return text === '' ? undefined : JSON.parse(text)
  const said = z.object({
    code: z.string(),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  const { code, detail, errors } = said.parse(JSON.parse(text))
  const wait = headers['retry-after']
  throw new Problem(kindOf(statusCode), code, detail, { errors, headers: wait ? { 'retry-after': String(wait) } : {} })
}

async function bodyOf<T>({ request }: Exchange, schema: z.ZodType<T>): Promise<T> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) throw new Problem('too-large', 'BodyTooLarge', `The body is larger than ${MAX_BODY} bytes.`)
    chunks.push(chunk)
  }
  const parsed = schema.safeParse(parsedJson(Buffer.concat(chunks).toString()))
  if (parsed.success) return parsed.data
  throw new Problem('invalid', 'InvalidInput', 'The body is not what this address takes.')
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function settle({ response }: Exchange, cookie: string): void {
  response.writeHead(204, { 'set-cookie': cookie, 'cache-control': 'no-store' }).end()
}
