import { problem, StubPlatform } from '../../test/stub-platform.js'

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

const ID = 'identity-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11'
const UNLINK = `POST /accounts/users/me/identities/${ID}/unlink`
const IDENTITY = {
  ...{ id: ID, provider: 'acme', title: 'Acme', subject: '42', name: 'Ada', email: 'ada@acme.example' },
  ...{ linkedAt: '2026-10-01T12:00:00.000Z', lastUsedAt: '2026-11-22T11:00:00.000Z' },
}

describe('trestle account identities list', () => {
  it('shows who each provider says that one is', async () => {
    platform.on('GET /accounts/users/me/identities', { body: [IDENTITY, { ...IDENTITY, title: undefined, name: undefined }] })
    const { stdout } = await platform.run('account identities list')
    expect(stdout).toMatch(/Acme +Ada +ada@acme\.example +42 +\S+ ago +1h ago/)
    expect(stdout).toMatch(/acme +ada@acme\.example/)
  })

  it('says so where there is none', async () => {
    platform.on('GET /accounts/users/me/identities', { body: [] })
    expect(await platform.run('account identities list')).toMatchObject({ stdout: '', stderr: expect.stringContaining('with a password') })
  })
})

describe('trestle account identities unlink', () => {
  it('asks first, then for the password', async () => {
    expect(await platform.run(`account identities unlink ${ID}`)).toMatchObject({ exit: 2, requests: [] })
    platform.on(UNLINK, { body: { accessToken: 'newer' } })
    expect(await platform.run(`account identities unlink ${ID} --yes --password-stdin`, { stdin: 'secret words' })).toEqual({
      exit: 0,
      stdout: '',
      stderr: `${ID} is unlinked.\n`,
      requests: [`${UNLINK} {"password":"secret words"}`],
    })
  })

  it('asks who has no password for the second factor instead', async () => {
    platform.on('GET /accounts/users/me/second-factors', { body: { factors: [], recoveryCodes: 0, hasPassword: false } })
    platform.on(UNLINK, problem(401, 'StepUpRequired', 'A fresh proof.'), { body: { accessToken: 'newer' } })
    platform.on('POST /accounts/auth/step-up', { body: { challenge: 'c1', methods: ['totp'], expiresAt: IDENTITY.linkedAt } })
    platform.on('POST /accounts/auth/second-factor', { body: { accessToken: 'proven' } })
    const { exit, requests } = await platform.run(`account identities unlink ${ID} --yes`, { typed: ['123456'] })
    expect([exit, requests.at(-1)]).toEqual([0, `${UNLINK} {}`])
  })

  it('says what to do where it is the last way to sign in', async () => {
    platform.on(UNLINK, problem(409, 'LastSignIn', 'You could not sign in any more: first set a password.'))
    expect(await platform.run(`account identities unlink ${ID} --yes --password-stdin`, { stdin: 'x' })).toMatchObject({
      stderr: expect.stringContaining('first set a password'),
    })
  })
})
