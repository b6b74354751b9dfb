import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, errors, nkeyAuthenticator, PermissionViolationError } from '@nats-io/transport-node'
import { listKeys, revocationRecorded } from '@trestle/contracts/accounts/messages'
import { inboxPrefix } from '@trestle/contracts/nats/identities'
import { publicNkey } from '@trestle/contracts/nats/nkey'
import { eventually } from '@trestle/testing/eventually'
import pg from 'pg'
import { openedWith, parts, type Sealing, stolenKey, token } from './intruder.js'
import { linkMailedTo } from './mailbox.js'
import { startTestPlatform, type TestPlatform } from './platform.js'

// The drills of docs/security.md.

const AREAS = ['accounts', 'staking', 'nodes', 'btc', 'eth']
const LIMIT_MS = 2_000
// Of nats-server, which reads its configuration and disconnects whom it no longer knows.
const RELOAD_MS = 5_000
const NATS_IDENTITIES = fileURLToPath(new URL('../../tools/nats-identities.mjs', import.meta.url))
const WITHDRAWAL = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let platform: TestPlatform
let served: readonly string[]
let db: pg.Client
beforeAll(async () => {
  platform = await startTestPlatform('staking', 'nodes', 'btc', 'eth')
  served = AREAS.filter((area) => platform.info.services[area])
  expect(served).toEqual(expect.arrayContaining(['accounts', 'staking', 'nodes']))
  const { admin, demo } = platform.info
  await platform.restart('accounts', { ADMINISTRATORS: `${admin.email},${demo.email}` })
  db = new pg.Client({ connectionString: platform.info.postgres })
  await db.connect()
}, 300_000)
afterAll(async () => {
  await db?.end()
  await platform?.stop()
})

describe('a leaked signing key', () => {
  it('opens every area until it is declared compromised, and two seconds later none', async () => {
    const administrator = await signIn()
    const [header, payload] = parts(administrator)
    const key = await stolenKey(db, header.kid, platform.secret('KEY_ENCRYPTION_KEY'))
    const forge = (claims: object) => token(header, { ...payload, ...claims, jti: crypto.randomUUID() }, key)
    const forged = forge({ sub: `user-${crypto.randomUUID()}` })
    for (const area of served) expect([area, await statusOf(area, forged)]).toEqual([area, 200])
    const stream = served.includes('btc') ? await openStream(forged) : undefined

    const declaredAt = performance.now()
    const declared = await call('POST', `/accounts/signing-keys/${header.kid}/compromise`, administrator)
    expect(declared.status).toBe(200)
    await refusedEverywhere(forged)
    await stream?.ended
    expect(performance.now() - declaredAt).toBeLessThan(LIMIT_MS)

    for (const area of served) expect([area, await statusOf(area, forge({}))]).toEqual([area, 401])
    const next = await signIn()
    expect(parts(next)[0].kid).not.toBe(header.kid)
    for (const area of served)
      await eventually(async () => (await statusOf(area, next)) === 200 || undefined, `${area} accepts a token of the new key`)
  }, 120_000)
})

describe("an administrator's stolen laptop", () => {
  it('opens nothing two seconds after another administrator has disabled its owner, nor once the owner is back', async () => {
    const laptop = await signIn()
    const { clientId, clientSecret } = await json<ClientKey>('POST', '/accounts/users/me/client-keys', laptop)
    const program = await grant({ grantType: 'clientCredentials', clientId, clientSecret })
    for (const area of served) expect([area, await statusOf(area, laptop)]).toEqual([area, 200])
    const stream = served.includes('btc') ? await openStream(program.accessToken) : undefined
    const project = served.includes('eth') ? await json<{ id: string }>('POST', '/eth/projects', laptop, { name: 'Mine' }) : undefined
    const socket = project && (await openSocket(`/eth/v1/${project.id}`))

    const other = await signIn(platform.info.demo)
    const { sub } = parts(laptop)[1]
    const disabledAt = performance.now()
    expect((await call('POST', `/accounts/users/${sub}/disable`, other)).status).toBe(200)
    await Promise.all([refusedEverywhere(laptop), stream?.ended, socket?.ended])
    expect(performance.now() - disabledAt).toBeLessThan(LIMIT_MS)
    expect(await statusOf('accounts', program.accessToken)).toBe(401)
    await expect(grant({ grantType: 'clientCredentials', clientId, clientSecret })).rejects.toThrow('401')
    await expect(grant({ grantType: 'refreshToken', refreshToken: program.refreshToken })).rejects.toThrow('401')
    await expect(signIn()).rejects.toThrow('401')
    if (project) expect((await callProject(project.id)).status).toBe(403)
    const trail = await json<{ kind: string }[]>('GET', `/accounts/security-log?user=${sub}`, other)
    expect(trail.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['sign-in']))

    expect((await call('POST', `/accounts/users/${sub}/enable`, other)).status).toBe(200)
    const restored = await resetPassword(platform.info.admin.email)
    expect(await statusOf('accounts', laptop)).toBe(401)
    await expect(grant({ grantType: 'clientCredentials', clientId, clientSecret })).rejects.toThrow('401')
    await expect(grant({ grantType: 'refreshToken', refreshToken: program.refreshToken })).rejects.toThrow('401')
    const back = await signIn({ email: platform.info.admin.email, password: restored })
    expect(await statusOf('accounts', back)).toBe(200)
  }, 120_000)
})

describe('the leaked NATS seed of a service', () => {
  it('is a connection of that service, until it is replaced; then it is none, and the service works with the new one', async () => {
    const seed = platform.secret('NODES_NATS_NKEY_SEED')
    const file = join(platform.dataDir, 'nats.env')
    const secrets: Record<string, string> = JSON.parse(readFileSync(join(platform.dataDir, 'secrets.json'), 'utf8'))
    const seeds = Object.entries(secrets).filter(([name]) => name.endsWith('_NATS_NKEY_SEED'))
    const before = seeds.map(([name, value]) => `${name}=${value}\n${name.replace('_SEED', '')}=${publicNkey(value)}\n`).join('')

    const thief = await connectAs('nodes', seed)
    const refusals: string[] = []
    void (async () => {
      for await (const status of thief.status())
        if (status.type === 'error' && status.error instanceof PermissionViolationError) refusals.push(status.error.subject)
    })()
    expect((await thief.request(listKeys.subject, '{}', { timeout: 5_000 })).data.length).toBeGreaterThan(0)
    thief.publish(revocationRecorded.subject, '{}')
    await thief.flush()
    await eventually(() => refusals.includes(revocationRecorded.subject) || undefined, 'the server refuses what accounts alone may publish')

    writeFileSync(file, before.replaceAll(/^NODES_NATS_NKEY.*\n/gm, ''))
    execFileSync(process.execPath, [NATS_IDENTITIES, file])
    const after = readFileSync(file, 'utf8')
    const fresh = /^NODES_NATS_NKEY_SEED=(.*)$/m.exec(after)?.[1] ?? ''
    expect(fresh).not.toBe(seed)
    for (const line of before.split('\n').filter((each) => !each.startsWith('NODES_'))) expect(after.split('\n')).toContain(line)
    const config = join(platform.dataDir, 'nats/nats.conf')
    writeFileSync(config, readFileSync(config, 'utf8').replace(publicNkey(seed), publicNkey(fresh)))
    const changedAt = performance.now()
    platform.kill('nats', 'SIGHUP')
    await eventually(async () => (await canConnectAs('nodes', seed)) === false || undefined, 'the server refuses the old key')
    await thief.closed()
    expect(performance.now() - changedAt).toBeLessThan(RELOAD_MS)

    await platform.restart('nodes', { NATS_NKEY_SEED: fresh })
    const metrics = await fetch(`${platform.info.services.nodes?.internalUrl}/metrics`)
    expect(await metrics.text()).toMatch(/^nats_connected\S* 1$/m)
    expect(await canConnectAs('nodes', seed)).toBe(false)
  }, 120_000)
})

describe('a leaked encryption key', () => {
  it('opens nothing in a later dump of the database, and nothing stored is lost', async () => {
    const [old, next] = [oldKeys(), newKeys()]
    const administrator = await signIn(platform.info.demo)
    const node = await json<NodeAccess>('POST', '/nodes/users/me/nodes', administrator, { image: 'ltc' })
    await json('POST', '/staking/ethereum/dev/validators', administrator, { withdrawalAddress: WITHDRAWAL })
    const before = await openedWith(db, old)
    expect(before.size).toBeGreaterThanOrEqual(5)

    const startedAt = performance.now()
    await restartWith((service) => `${next[service]},${old[service]}`)
    await eventually(async () => (await openedWith(db, old)).size === 0 || undefined, 'nothing is sealed with the old keys', 10_000)
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    await restartWith((service) => next[service])

    const after = await openedWith(db, next)
    for (const [name, text] of before) expect([name, after.get(name)]).toEqual([name, text])
    const later = await signIn(platform.info.demo)
    expect(parts(later)[0].kid).toBe(parts(administrator)[0].kid)
    await eventually(async () => (await callNode(node)) || undefined, 'the node is called with its passwords')
    for (const area of ['staking', 'nodes']) expect([area, await statusOf(area, later)]).toEqual([area, 200])
  }, 180_000)
})

interface ClientKey {
  readonly clientId: string
  readonly clientSecret: string
}

interface NodeAccess {
  readonly url: string
  readonly nodeUser: string
  readonly nodePass: string
}

async function signIn({ email, password }: { email: string; password: string } = platform.info.admin): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
  const response = await fetch(`${platform.info.ingress}/accounts/auth`, { method: 'POST', headers: { authorization } })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { accessToken } = (await response.json()) as { accessToken: string }
  return accessToken
}

function call(method: string, path: string, bearer?: string, body?: unknown): Promise<Response> {
  const headers = {
    ...(bearer && { authorization: `Bearer ${bearer}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return fetch(`${platform.info.ingress}${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
}

async function json<T>(method: string, path: string, bearer?: string, body?: unknown): Promise<T> {
  const response = await call(method, path, bearer, body)
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

function grant(body: object): Promise<{ accessToken: string; refreshToken: string }> {
  return json('POST', '/accounts/auth/token', undefined, body)
}

async function resetPassword(email: string): Promise<string> {
  const newPassword = randomBytes(18).toString('base64url')
  expect((await call('POST', '/accounts/users/password-resets', undefined, { email })).status).toBe(202)
  const [id, mailed] = (await linkMailedTo(email, platform.info.mailbox, 'reset')).split('/').slice(-2)
  expect((await call('PUT', `/accounts/users/${id}/password-resets/${mailed}`, undefined, { newPassword })).status).toBe(200)
  return newPassword
}

/** What only an administrator sees. */
async function statusOf(area: string, bearer: string): Promise<number> {
  const response = await call('GET', `/${area}/outbox`, bearer)
  await response.arrayBuffer()
  return response.status
}

async function refusedEverywhere(bearer: string): Promise<void> {
  await Promise.all(
    served.map((area) => eventually(async () => (await statusOf(area, bearer)) === 401 || undefined, `${area} refuses the token`)),
  )
}

function callProject(id: string): Promise<Response> {
  return call('POST', `/eth/v1/${id}`, undefined, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
}

async function callNode({ url, nodeUser, nodePass }: NodeAccess): Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`${nodeUser}:${nodePass}`).toString('base64')}`
  const response = await fetch(url, { method: 'POST', headers: { authorization }, body: '{"method":"getblockchaininfo"}' })
  await response.arrayBuffer()
  return response.ok
}

async function openStream(bearer: string): Promise<{ ended: Promise<void> }> {
  const response = await call('GET', '/btc/api/v1/events', bearer)
  expect(response.status).toBe(200)
  const drain = async () => {
    for await (const _ of response.body ?? []);
  }
  return { ended: drain().catch(() => {}) }
}

async function openSocket(path: string): Promise<{ ended: Promise<void> }> {
  const socket = new WebSocket(`${platform.info.ingress.replace('http', 'ws')}${path}`)
  const ended = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  return { ended }
}

function connectAs(deployment: string, seed: string) {
  return connect({
    servers: platform.info.nats,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    inboxPrefix: inboxPrefix(deployment),
    reconnect: false,
  })
}

async function canConnectAs(deployment: string, seed: string): Promise<boolean> {
  try {
    await (await connectAs(deployment, seed)).close()
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(errors.AuthorizationError)
    return false
  }
}

function oldKeys(): Record<Sealing, string> {
  const shared = platform.secret('KEY_ENCRYPTION_KEYS')
  return { accounts: platform.secret('KEY_ENCRYPTION_KEY'), staking: shared, nodes: shared }
}

function newKeys(): Record<Sealing, string> {
  const key = () => randomBytes(32).toString('base64')
  return { accounts: key(), staking: key(), nodes: key() }
}

async function restartWith(keysOf: (service: Sealing) => string): Promise<void> {
  await platform.restart('accounts', { KEY_ENCRYPTION_KEY: keysOf('accounts') })
  await Promise.all((['staking', 'nodes'] as const).map((name) => platform.restart(name, { KEY_ENCRYPTION_KEYS: keysOf(name) })))
}
