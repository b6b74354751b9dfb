import { ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, type HttpReply, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'
import { personal } from './personal.js'

let accounts: AccountsUnderTest
beforeAll(async () => {
  accounts = await startTestAccounts()
})
afterAll(() => accounts.stop())

describe('an organization', () => {
  it('is created by its owner, who may be in several', async () => {
    const owner = await accounts.createUser()
    const { status, body } = await found(owner, ' Acme ')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^org-[0-9a-f-]{36}$/),
      name: 'Acme',
      roles: ['owner'],
      permissions: ROLE_PERMISSIONS.owner,
      createdAt: expect.any(String),
    })
    const second = await found(owner, 'Second')
    expect(second.status).toBe(201)
    expect((await as(owner)('GET', '/organizations')).body).toEqual([body, second.body, personal(owner)])
    for (const each of [body, second.body]) expect((await as(owner)('GET', `/organizations/${each.id}`)).body).toEqual(each)
  })

  it('is not created as the 51st of a user', async () => {
    const owner = await accounts.createUser()
    await accounts.sql.query(
      "INSERT INTO member (user_id, organization_id, roles, joined_at) SELECT $1, 'org-' || gen_random_uuid(), '{member}', now() FROM generate_series(1, 49)",
      [owner.id],
    )
    expect((await found(owner)).status).toBe(201)
    expect(refusal(await found(owner))).toEqual([409, 'LimitExceeded'])
    await accounts.sql.query('DELETE FROM member WHERE user_id = $1', [owner.id])
  })

  it('does not exist for anybody else', async () => {
    const [owner, stranger, tenant] = [await accounts.createUser(), await accounts.createUser(), await accounts.createUser()]
    const { body } = await found(owner)
    await found(tenant)
    const path = `/organizations/${body.id}`
    for (const user of [stranger, tenant]) {
      for (const [method, at, sent] of [
        ['GET', path],
        ['PATCH', path, { name: 'Mine' }],
        ['DELETE', path],
        ['GET', `${path}/members`],
        ['PUT', `${path}/members/${owner.id}`, { roles: ['member'] }],
        ['DELETE', `${path}/members/${owner.id}`],
        ['GET', `${path}/invitations`],
        ['POST', `${path}/invitations`, { email: 'x@example.org', roles: ['member'] }],
        ['DELETE', `${path}/invitations/invitation-x`],
        ['GET', `${path}/roles`],
        ['GET', `${path}/roles/owner`],
        ['PUT', `${path}/roles/own`, { permissions: [] }],
        ['DELETE', `${path}/roles/own`],
      ] as const) {
        expect(refusal(await as(user)(method, at, sent))).toEqual([404, 'UnknownOrganization'])
      }
    }
    expect((await as(stranger)('GET', '/organizations')).body).toEqual([personal(stranger)])
    expect(refusal(await as(owner)('GET', '/organizations/org-nowhere'))).toEqual([404, 'UnknownOrganization'])
  })

  it('is renamed by an admin, not by a member, an auditor or billing', async () => {
    const { owner, path } = await organization()
    const admin = await join(owner, path, ['admin'])
    expect((await as(admin)('PATCH', path, { name: 'New' })).body).toMatchObject({ name: 'New', roles: ['admin'] })
    for (const role of ['member', 'auditor', 'billing', 'viewer', 'developer', 'operator']) {
      const member = await join(owner, path, [role])
      expect(refusal(await as(member)('PATCH', path, { name: 'Mine' }))).toEqual([403, 'MissingRole'])
      expect(refusal(await as(member)('POST', `${path}/invitations`, { email: 'x@example.org', roles: ['member'] }))).toEqual([
        403,
        'MissingRole',
      ])
      expect(refusal(await as(member)('PUT', `${path}/members/${owner.id}`, { roles: ['member'] }))).toEqual([403, 'MissingRole'])
      expect((await as(member)('GET', `${path}/members`)).status).toBe(200)
    }
  })

  it('is dissolved when its owner is the only member', async () => {
    const { owner, path } = await organization()
    const member = await join(owner, path, ['member'])
    expect(refusal(await as(owner)('DELETE', path))).toEqual([409, 'HasMembers'])
    expect((await as(member)('DELETE', `${path}/members/${member.id}`)).status).toBe(204)
    expect((await as(owner)('DELETE', path)).status).toBe(204)
    expect((await as(owner)('GET', '/organizations')).body).toEqual([personal(owner)])
  })

  it.each([
    ['no name', {}],
    ['an empty name', { name: '  ' }],
    ['a name that is too long', { name: 'x'.repeat(101) }],
    ['a name with NUL', { name: 'a\0' }],
  ])('has a name: %s is refused', async (_, body) => {
    const user = await accounts.createUser()
    expect((await as(user)('POST', '/organizations', body)).status).toBe(400)
  })
})

describe('the members', () => {
  it('are listed with their roles, and changed by those who may', async () => {
    const { owner, path } = await organization()
    const [admin, member] = [await join(owner, path, ['admin']), await join(owner, path, ['member', 'billing'])]
    const { body } = await as(member)('GET', `${path}/members`)
    expect(body.map(({ userId, roles }: { userId: string; roles: string[] }) => [userId, roles])).toEqual([
      [owner.id, ['owner']],
      [admin.id, ['admin']],
      [member.id, ['member', 'billing']],
    ])
    expect(body[2]).toEqual({
      userId: member.id,
      email: member.email,
      displayName: 'Ada',
      roles: ['member', 'billing'],
      joinedAt: expect.any(String),
    })

    const changed = await as(admin)('PUT', `${path}/members/${member.id}`, { roles: ['auditor'] })
    expect(changed.body).toMatchObject({ userId: member.id, roles: ['auditor'] })
    expect(refusal(await as(admin)('PUT', `${path}/members/${member.id}`, { roles: ['owner'] }))).toEqual([403, 'MissingRole'])
    expect(refusal(await as(admin)('PUT', `${path}/members/user-nobody`, { roles: ['admin'] }))).toEqual([404, 'UnknownMember'])
    for (const roles of [[], ['king'], ['member', 'member'], 'owner']) {
      expect((await as(owner)('PUT', `${path}/members/${member.id}`, { roles })).status).toBe(400)
    }
    expect((await as(admin)('DELETE', `${path}/members/${member.id}`)).status).toBe(204)
    expect(refusal(await as(admin)('DELETE', `${path}/members/${member.id}`))).toEqual([404, 'UnknownMember'])
    expect(refusal(await as(admin)('DELETE', `${path}/members/${owner.id}`))).toEqual([403, 'MissingRole'])
  })

  it('always have an owner, also when the last two leave at the same moment', async () => {
    const { owner, path } = await organization()
    expect(refusal(await as(owner)('DELETE', `${path}/members/${owner.id}`))).toEqual([409, 'LastOwner'])
    expect(refusal(await as(owner)('PUT', `${path}/members/${owner.id}`, { roles: ['admin'] }))).toEqual([409, 'LastOwner'])

    const other = await join(owner, path, ['owner'])
    const answers = await Promise.all([
      as(owner)('DELETE', `${path}/members/${owner.id}`),
      as(other)('PUT', `${path}/members/${other.id}`, { roles: ['member'] }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([expect.any(Number), 409])
    const { rows } = await accounts.sql.query(
      "SELECT count(*)::int AS owners FROM member WHERE organization_id = $1 AND 'owner' = ANY(roles)",
      [path.slice('/organizations/'.length)],
    )
    expect(rows).toEqual([{ owners: 1 }])
  })
})

describe('an invitation', () => {
  it('lets in its recipient, once', async () => {
    const { owner, path } = await organization()
    const [guest, thief] = [await accounts.createUser({ email: 'Guest@Example.org' }), await accounts.createUser()]
    const { status, body, text } = await invite(owner, path, 'guest@EXAMPLE.org')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^invitation-/),
      email: 'guest@EXAMPLE.org',
      roles: ['member'],
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    })
    const token = await invitationToken('guest@EXAMPLE.org')
    expect(text).not.toContain(token)
    expect((await as(owner)('GET', `${path}/invitations`)).body).toEqual([body])

    expect(refusal(await as(thief)('PUT', `/invitations/${token}`))).toEqual([403, 'WrongRecipient'])
    const accepted = await Promise.all([as(guest)('PUT', `/invitations/${token}`), as(guest)('PUT', `/invitations/${token}`)])
    expect(accepted.map(({ status: each }) => each).sort()).toEqual([200, 404])
    expect(accepted.find((answer) => answer.status === 200)?.body).toMatchObject({
      id: path.slice('/organizations/'.length),
      roles: ['member'],
    })
    expect((await as(owner)('GET', `${path}/invitations`)).body).toEqual([])
  })

  it('is invalid once withdrawn, expired or replaced', async () => {
    const { owner, path } = await organization()
    const guest = await accounts.createUser()
    const { body: first } = await invite(owner, path, guest.email)
    const firstToken = await invitationToken(guest.email)
    const { body: second } = await invite(owner, path, guest.email)
    const secondToken = await invitationToken(guest.email, 2)
    expect(refusal(await as(guest)('PUT', `/invitations/${firstToken}`))).toEqual([404, 'InvalidInvitation'])
    expect(refusal(await as(owner)('DELETE', `${path}/invitations/${first.id}`))).toEqual([404, 'UnknownInvitation'])

    expect((await as(owner)('DELETE', `${path}/invitations/${second.id}`)).status).toBe(204)
    expect(refusal(await as(owner)('DELETE', `${path}/invitations/${second.id}`))).toEqual([404, 'UnknownInvitation'])
    expect(refusal(await as(guest)('PUT', `/invitations/${secondToken}`))).toEqual([404, 'InvalidInvitation'])

    await invite(owner, path, guest.email)
    const thirdToken = await invitationToken(guest.email, 3)
    await accounts.sql.query("UPDATE invitation SET expires_at = now() - interval '1 second' WHERE email = $1", [guest.email])
    expect(refusal(await as(guest)('PUT', `/invitations/${thirdToken}`))).toEqual([404, 'InvalidInvitation'])
    for (const token of ['x', '..%2f', 'x'.repeat(100)]) expect((await as(guest)('PUT', `/invitations/${token}`)).status).toBe(404)
  })

  it('takes nobody out of another organization, and adds nobody twice', async () => {
    const { owner, path } = await organization()
    const busy = await accounts.createUser()
    const other = (await found(busy)).body
    await invite(owner, path, busy.email)
    const { body } = await as(busy)('PUT', `/invitations/${await invitationToken(busy.email)}`)
    expect((await as(busy)('GET', '/organizations')).body).toEqual([other, body, personal(busy)])
    await invite(owner, path, busy.email)
    expect(refusal(await as(busy)('PUT', `/invitations/${await invitationToken(busy.email, 2)}`))).toEqual([409, 'AlreadyMember'])
  })

  it('grants no more than its sender may grant', async () => {
    const { owner, path } = await organization()
    const admin = await join(owner, path, ['admin'])
    expect(refusal(await invite(admin, path, 'a@example.org', ['owner']))).toEqual([403, 'MissingRole'])
    expect((await invite(admin, path, 'a@example.org', ['admin'])).status).toBe(201)
  })

  it.each(['a@b\r\nBcc:x@y.test', 'a@b.test,c@d.test', '"a b"@c.test', '<a@b.test>', 'nobody'])(
    'goes to no such address as %j',
    async (email) => {
      const { owner, path } = await organization()
      expect(refusal(await invite(owner, path, email))).toEqual([400, 'InvalidEmail'])
    },
  )

  it('is refused as the 101st in three days, also when the others are withdrawn again', async () => {
    const { owner, path } = await organization()
    await accounts.sql.query(
      `INSERT INTO invitation (id, token_hash, organization_id, email, email_canonical, roles, created_at, expires_at)
       SELECT 'invitation-' || gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), $1, n || '@x.test', n || '@x.test', '{member}', now(), now()
         FROM generate_series(1, 99) n`,
      [path.slice('/organizations/'.length)],
    )
    const { status, body } = await invite(owner, path, 'hundredth@example.org')
    expect(status).toBe(201)
    await as(owner)('DELETE', `${path}/invitations/${body.id}`)
    expect(refusal(await invite(owner, path, 'more@example.org'))).toEqual([409, 'LimitExceeded'])
  })
})

function as({ token }: TestUser): (method: string, path: string, body?: unknown) => Promise<HttpReply> {
  return (method, path, body) => accounts.call(method, path, { token, body })
}

function found(user: TestUser, name = 'Acme'): Promise<HttpReply> {
  return as(user)('POST', '/organizations', { name })
}

async function organization(): Promise<{ owner: TestUser; path: string }> {
  const owner = await accounts.createUser()
  return { owner, path: `/organizations/${(await found(owner)).body.id}` }
}

function invite(by: TestUser, path: string, email: string, roles = ['member']): Promise<HttpReply> {
  return as(by)('POST', `${path}/invitations`, { email, roles })
}

async function join(owner: TestUser, path: string, roles: string[]): Promise<TestUser> {
  const user = await accounts.createUser()
  await invite(owner, path, user.email, roles)
  const { status, text } = await as(user)('PUT', `/invitations/${await invitationToken(user.email)}`)
  if (status !== 200) throw new Error(text)
  return user
}

/** From the newest of so many invitations to an address; the mails of signing up come on top of them. */
function invitationToken(email: string, count = 1): Promise<string> {
  return eventually(
    async () => {
      const texts = (await accounts.mails(email)).map(({ text }) => text).filter((text) => text.includes('/invitations/'))
      return texts.length >= count ? /\/invitations\/(\S+)/.exec(texts[0] ?? '')?.[1] : undefined
    },
    `${count} invitation(s) to ${email}`,
    SOON_MS,
  )
}

function refusal({ status, body }: HttpReply): [number, string] {
  return [status, body?.code]
}
