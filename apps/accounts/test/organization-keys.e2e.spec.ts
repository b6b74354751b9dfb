import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { decodeJwt } from 'jose'
import { ExpiringKeysService } from '../src/client-keys/expiring-keys.service.js'
import { type AccountsUnderTest, type HttpReply, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'

const DAY_MS = 86_400_000
let accounts: AccountsUnderTest
let owner: TestUser
let organization: string
beforeAll(async () => {
  accounts = await startTestAccounts()
  owner = await accounts.createUser()
  organization = (await accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Acme' } })).body.id
  await admitted(owner)
})
afterAll(() => accounts.stop())

describe('a client key of an organization', () => {
  it('is made there, listed there and nowhere else, and its tokens say so', async () => {
    const key = await create(owner, {
      name: 'ci',
      scopes: ['nodes:read', 'eth-rpc'],
      perSecond: 5,
      perDay: 1000,
      allowedIps: ['192.0.2.0/24'],
    })
    expect(key).toMatchObject({
      organizationId: organization,
      userId: owner.id,
      scopes: ['eth-rpc', 'nodes:read'],
      perSecond: 5,
      perDay: 1000,
    })
    expect((await keys(owner)).map(({ id }) => id)).toContain(key.clientId)
    expect(await keys(owner, personalOrganizationOf(owner.id))).toEqual([])
    const claims = decodeJwt((await exchange(key)).body.accessToken)
    expect(claims).toMatchObject({ org: organization, aud: ['nodes', 'eth-rpc'], lim: { s: 5, d: 1000, ip: ['192.0.2.0/24'] } })
    const { clientId } = (await accounts.call('POST', '/users/me/client-keys', { token: owner.token })).body
    expect((await keys(owner)).map(({ id }) => id)).not.toContain(clientId)
  })

  it('of the form of the release before is one of the personal organization, without claims that are new', async () => {
    const key = (await accounts.call('POST', '/users/me/client-keys', { token: owner.token })).body
    expect(key.organizationId).toBe(personalOrganizationOf(owner.id))
    const claims = decodeJwt((await exchange(key)).body.accessToken)
    expect(claims).not.toHaveProperty('org')
    expect(claims).not.toHaveProperty('lim')
    expect(claims.aud).toEqual(['staking', 'nodes', 'btc-connect', 'eth-rpc'])
  })

  it('shows from which network it was last used', async () => {
    const key = await create(owner)
    await accounts.call('POST', '/auth/token', { body: grant(key), from: '2001:db8:1:2:3::4' })
    const used = async () => (await keys(owner)).find(({ id, lastUsedFrom }) => id === key.clientId && lastUsedFrom)
    expect(await eventually(used, 'the use is written', SOON_MS)).toMatchObject({ lastUsedFrom: '2001:db8:1:2::/64' })
  })

  it('is changed, and tokens from before end unless only its name is', async () => {
    const key = await create(owner, { perDay: 5 })
    const epoch = async () => decodeJwt((await exchange(key)).body.accessToken).kep
    expect((await change(owner, key, { name: 'renamed' })).body).toMatchObject({ name: 'renamed', perDay: 5 })
    expect(await epoch()).toBe(0)
    const { body } = await change(owner, key, { perDay: null, name: null, scopes: ['staking:read'] })
    expect(body).toMatchObject({ scopes: ['staking:read'] })
    expect(body).not.toHaveProperty('perDay')
    expect(body).not.toHaveProperty('name')
    expect(await epoch()).toBe(1)
    for (const wrong of [
      { scopes: [] },
      { scopes: ['keys:write'] },
      { perSecond: 0 },
      { allowedIps: ['10.0.0.0/33'] },
      { expiresAt: new Date(0).toISOString() },
    ])
      expect((await change(owner, key, wrong)).status).toBe(400)
  })

  it('is rotated: both secrets work for a while, or the former one no more', async () => {
    const key = await create(owner)
    const rotated = (await rotate(owner, key, { graceSeconds: 3600 })).body
    expect(rotated).toMatchObject({ clientId: key.clientId, clientSecret: expect.stringMatching(/^trs_/) })
    expect([(await exchange(key)).status, (await exchange(rotated)).status]).toEqual([200, 200])
    accounts.setClockAhead(3601_000)
    expect([(await exchange(key)).status, (await exchange(rotated)).status]).toEqual([401, 200])
    accounts.setClockAhead(0)
    const last = (await rotate(owner, key)).body
    expect([(await exchange(rotated)).status, (await exchange(last)).status]).toEqual([401, 200])
  })

  it('is announced by mail a week before it expires, once', async () => {
    const user = await accounts.createUser()
    const expiresAt = new Date(Date.now() + 8 * DAY_MS).toISOString()
    const { body: key } = await accounts.call('POST', '/users/me/client-keys', { token: user.token, body: { expiresAt } })
    const job = accounts.service.app.get(ExpiringKeysService, { strict: false })
    expect(await job.announce()).toBe(0)
    accounts.setClockAhead(2 * DAY_MS)
    expect([await job.announce(), await job.announce()]).toEqual([1, 0])
    const mails = await accounts.mailed(user.email, 3)
    accounts.setClockAhead(0)
    expect(mails[0]).toMatchObject({ subject: 'A client key expires soon', text: expect.stringContaining(key.clientId) })
  })

  it('of another member can be deleted by who manages keys, but not taken over', async () => {
    const developer = await member(['developer'])
    const key = await create(owner)
    expect(refusal(await change(developer, key, { scopes: ['staking'] }))).toEqual([403, 'NotYourKey'])
    expect(refusal(await rotate(developer, key))).toEqual([403, 'NotYourKey'])
    expect(refusal(await rotate(owner, await create(developer)))).toEqual([403, 'NotYourKey'])
    const viewer = await member(['viewer'])
    expect((await keys(viewer)).map(({ id }) => id)).toContain(key.clientId)
    expect(refusal(await call(viewer, 'DELETE', `/users/me/client-keys/${key.clientId}`))).toEqual([403, 'MissingPermission'])
    expect((await call(developer, 'DELETE', `/users/me/client-keys/${key.clientId}`)).status).toBe(204)
    expect((await exchange(key)).status).toBe(401)
    const stranger = await accounts.createUser()
    expect(refusal(await call(stranger, 'GET', '/users/me/client-keys'))).toEqual([404, 'UnknownOrganization'])
  })
})

describe('a service account', () => {
  it('has keys that go on when who made them has left, and ends with its keys', async () => {
    const operator = await member(['operator'])
    const { status, body: account } = await serviceAccount(operator, 'deployer', ['developer'])
    expect(status).toBe(201)
    const key = await create(operator, { serviceAccountId: account.id })
    expect(key).toMatchObject({ userId: account.id, organizationId: organization })
    expect(decodeJwt((await exchange(key)).body.accessToken)).toMatchObject({ sub: account.id, org: organization })
    await call(operator, 'DELETE', `/organizations/${organization}/members/${operator.id}`)
    expect((await exchange(key)).status).toBe(200)
    expect((await call(owner, 'GET', `/organizations/${organization}/service-accounts`)).body).toContainEqual(account)
    const { body: members } = await call(owner, 'GET', `/organizations/${organization}/members`)
    expect(members).toContainEqual(expect.objectContaining({ userId: account.id, serviceAccount: true }))
    expect((await call(owner, 'DELETE', `/organizations/${organization}/service-accounts/${account.id}`)).status).toBe(204)
    expect((await exchange(key)).status).toBe(401)
    expect(refusal(await call(owner, 'DELETE', `/organizations/${organization}/service-accounts/${account.id}`))).toEqual([
      404,
      'UnknownServiceAccount',
    ])
  })

  it('may do no more than who makes it or its keys, and is no owner', async () => {
    const developer = await member(['developer'])
    expect(refusal(await serviceAccount(developer, 'x', ['operator']))).toEqual([403, 'MissingRole'])
    expect(refusal(await serviceAccount(owner, 'x', ['owner']))).toEqual([409, 'OwnerMustBePerson'])
    expect(refusal(await serviceAccount(await member(['viewer']), 'x', ['viewer']))).toEqual([403, 'MissingRole'])
    const { body: strong } = await serviceAccount(owner, 'strong', ['operator'])
    expect(refusal(await call(developer, 'POST', '/users/me/client-keys', { serviceAccountId: strong.id }))).toEqual([403, 'MissingRole'])
    const key = await create(owner, { serviceAccountId: strong.id })
    expect(refusal(await rotate(developer, key))).toEqual([403, 'MissingRole'])
    expect((await rotate(owner, key)).status).toBe(200)
    expect(refusal(await call(owner, 'PUT', `/organizations/${organization}/members/${strong.id}`, { roles: ['owner'] }))).toEqual([
      409,
      'OwnerMustBePerson',
    ])
    expect(refusal(await call(owner, 'POST', '/users/me/client-keys', { serviceAccountId: owner.id }))).toEqual([
      404,
      'UnknownServiceAccount',
    ])
  })

  it('can neither sign in, nor be reset, disabled or listed as a user', async () => {
    const { body: account } = await serviceAccount(owner, 'robot', ['viewer'])
    for (const password of ['', 'x', 'correct horse battery staple'])
      expect((await accounts.call('POST', '/auth', { basic: `${account.id}:${password}` })).status).toBe(401)
    const { rows } = await accounts.sql.query('SELECT email, email_canonical, password_hash FROM "user" WHERE id = $1', [account.id])
    expect(rows).toEqual([{ email: '', email_canonical: account.id, password_hash: '' }])
  })
})

function call(user: TestUser, method: string, path: string, body?: unknown, chosen = organization): Promise<HttpReply> {
  return accounts.call(method, path, { token: user.token, body, headers: { 'trestle-organization': chosen } })
}

interface Key {
  clientId: string
  clientSecret: string
}

async function create(user: TestUser, options: object = {}): Promise<Key> {
  const { status, body, text } = await call(user, 'POST', '/users/me/client-keys', options)
  if (status !== 200) throw new Error(text)
  return body
}

function change(user: TestUser, { clientId }: Key, body: object): Promise<HttpReply> {
  return call(user, 'PATCH', `/users/me/client-keys/${clientId}`, body)
}

function rotate(user: TestUser, { clientId }: Key, body?: object): Promise<HttpReply> {
  return call(user, 'POST', `/users/me/client-keys/${clientId}/rotate`, body)
}

async function keys(user: TestUser, chosen?: string): Promise<{ id: string; lastUsedFrom?: string }[]> {
  return (await call(user, 'GET', '/users/me/client-keys', undefined, chosen)).body
}

function serviceAccount(user: TestUser, name: string, roles: string[]): Promise<HttpReply> {
  return call(user, 'POST', `/organizations/${organization}/service-accounts`, { name, roles })
}

function grant({ clientId, clientSecret }: Key) {
  return { grantType: 'clientCredentials', clientId, clientSecret }
}

function exchange(key: Key): Promise<HttpReply> {
  return accounts.call('POST', '/auth/token', { body: grant(key) })
}

async function member(roles: string[]): Promise<TestUser> {
  const user = await accounts.createUser()
  await call(owner, 'POST', `/organizations/${organization}/invitations`, { email: user.email, roles })
  const [{ text } = { text: '' }] = await accounts.mailed(user.email, 2)
  await call(user, 'PUT', `/invitations/${/\/invitations\/(\S+)/.exec(text)?.[1]}`, undefined, personalOrganizationOf(user.id))
  await admitted(user)
  return user
}

/** The guard reads new memberships within a second. */
async function admitted(user: TestUser): Promise<void> {
  await eventually(async () => (await call(user, 'GET', '/users/me')).status === 200 || undefined, 'the member is admitted', SOON_MS)
}

function refusal({ status, body }: HttpReply): [number, string] {
  return [status, body?.code]
}
