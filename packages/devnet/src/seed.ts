import { setTimeout as delay } from 'node:timers/promises'

export const DEMO = { email: 'demo@trestle.local', password: 'correct horse battery staple' }
export const ADMIN = { email: 'admin@trestle.local', password: 'purple horse battery staple' }

interface User {
  readonly email: string
  readonly password: string
}

interface Organization {
  readonly id: string
  readonly roles: readonly string[]
  readonly personal?: true
}

interface Mail {
  readonly id: string
  readonly text: string
}

const MAIL_PATIENCE_MS = 20_000

interface Seeded {
  readonly demoId: string
  /** What a person should know: somebody gave a user another password. */
  readonly notes: readonly string[]
}

/** Sees to it, through the public API, that the demo user with its organization and the administrator are there; again changes nothing. */
export async function seed(accounts: string): Promise<Seeded> {
  const admin = await ensureUser(accounts, ADMIN, 'Administrator')
  const demo = await ensureUser(accounts, DEMO, 'Demo')
  const changed = [admin ? [] : ADMIN.email, demo ? [] : DEMO.email].flat()
  const notes = changed.map((email) => `${email} has another password by now; this one is no longer right.`)
  if (!demo) return { demoId: admin ? await lookUp(accounts, admin, DEMO.email) : '', notes }
  const { id } = await callApi<{ id: string }>(`${accounts}/users/me`, { token: demo })
  await ensureOrganization(accounts, demo, id)
  return { demoId: id, notes }
}

/** An account token; nothing when the user has another password. */
async function ensureUser(accounts: string, user: User, displayName: string): Promise<string | undefined> {
  const known = await signInAs(accounts, user)
  if (known) return known
  const [before] = await mails(accounts, user)
  const billingAddress = { country: 'CH', zipCode: '8001', address: 'Bahnhofstrasse 1', state: 'ZH' }
  await callApi(`${accounts}/users`, { method: 'POST', body: { ...user, displayName, billingAddress } })
  const { text } = await newestMail(accounts, user, before)
  // An address that has an account gets a mail without a token.
  const token = /\/token\/([0-9a-f-]{36})/.exec(text)?.[1]
  if (!token) return undefined
  await callApi(`${accounts}/users/${user.email}/token/${token}`, { method: 'PUT' })
  return signInAs(accounts, user)
}

/** An account token; nothing when the user is not there, or has another password. */
export async function signInAs(accounts: string, { email, password }: User): Promise<string | undefined> {
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` }
  const answer = await fetch(`${accounts}/auth`, { method: 'POST', headers })
  if (answer.status === 401 || answer.status === 403) return undefined
  return (await read<{ accessToken: string }>(answer)).accessToken
}

function mails(accounts: string, { email }: User): Promise<Mail[]> {
  return callApi(`${accounts}/dev/mailbox?to=${encodeURIComponent(email)}`)
}

async function newestMail(accounts: string, user: User, before: Mail | undefined): Promise<Mail> {
  const patience = Date.now() + MAIL_PATIENCE_MS
  while (Date.now() < patience) {
    const [newest] = await mails(accounts, user)
    if (newest && newest.id !== before?.id) return newest
    await delay(100)
  }
  throw new Error(`No mail to ${user.email} came into the mailbox. The log of the accounts service may say why.`)
}

async function lookUp(accounts: string, admin: string, email: string): Promise<string> {
  const [user] = await callApi<{ id: string }[]>(`${accounts}/users?email=${encodeURIComponent(email)}`, { token: admin })
  return user?.id ?? ''
}

async function ensureOrganization(accounts: string, token: string, userId: string): Promise<void> {
  const known = (await callApi<Organization[]>(`${accounts}/organizations`, { token })).find(({ personal }) => !personal)
  const { id, roles } =
    known ?? (await callApi<Organization>(`${accounts}/organizations`, { token, method: 'POST', body: { name: 'Demo' } }))
  if (roles.includes('billing') || !roles.includes('owner')) return
  await callApi(`${accounts}/organizations/${id}/members/${userId}`, { token, method: 'PUT', body: { roles: [...roles, 'billing'] } })
}

/** Asks a service; rejects with what it said when that was no success. */
export async function callApi<T>(
  url: string,
  { token, method = 'GET', body }: { token?: string; method?: string; body?: unknown } = {},
): Promise<T> {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body !== undefined && { 'content-type': 'application/json' }) }
  return read(await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }))
}

async function read<T>(answer: Response): Promise<T> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${new URL(answer.url).pathname} answered ${answer.status} while the demo was set up: ${text}`)
  return JSON.parse(text || 'null')
}
