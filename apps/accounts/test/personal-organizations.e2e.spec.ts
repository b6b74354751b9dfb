import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { type AccountsUnderTest, type HttpReply, startTestAccounts, type TestUser } from './accounts.js'
import { personal } from './personal.js'

let accounts: AccountsUnderTest
beforeAll(async () => {
  accounts = await startTestAccounts()
})
afterAll(() => accounts.stop())

describe('a personal organization', () => {
  it('has its user as the only member, for whom everything that would share it is refused', async () => {
    const user = await accounts.createUser()
    const path = `/organizations/${personalOrganizationOf(user.id)}`
    expect((await as(user)('GET', path)).body).toEqual(personal(user))
    const { body: members } = await as(user)('GET', `${path}/members`)
    expect(members).toEqual([{ userId: user.id, email: user.email, displayName: 'Ada', roles: ['owner'], joinedAt: expect.any(String) }])
    for (const [method, at, sent] of [
      ['PATCH', path, { name: 'Mine' }],
      ['DELETE', path],
      ['PUT', `${path}/members/${user.id}`, { roles: ['member'] }],
      ['DELETE', `${path}/members/${user.id}`],
      ['GET', `${path}/invitations`],
      ['POST', `${path}/invitations`, { email: 'x@example.org', roles: ['member'] }],
      ['DELETE', `${path}/invitations/invitation-x`],
      ['PUT', `${path}/roles/own`, { permissions: [] }],
      ['DELETE', `${path}/roles/own`],
    ] as const) {
      expect(refusal(await as(user)(method, at, sent))).toEqual([409, 'PersonalOrganization'])
    }
    const stranger = await accounts.createUser()
    expect(refusal(await as(stranger)('GET', path))).toEqual([404, 'UnknownOrganization'])
    expect(refusal(await as(stranger)('PATCH', path, { name: 'Mine' }))).toEqual([404, 'UnknownOrganization'])
  })
})

function as({ token }: TestUser): (method: string, path: string, body?: unknown) => Promise<HttpReply> {
  return (method, path, body) => accounts.call(method, path, { token, body })
}

function refusal({ status, body }: HttpReply): [number, string] {
  return [status, body?.code]
}
