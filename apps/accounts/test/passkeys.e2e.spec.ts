import { type AccountsUnderTest, PASSWORD, startTestAccounts, type TestUser } from './accounts.js'
import { claimsOf, factorsClient } from './factors.js'
import { softwarePasskey } from './passkey.js'

const PASSKEYS = '/users/me/second-factors/passkeys'

let accounts: AccountsUnderTest
let factors: ReturnType<typeof factorsClient>
beforeAll(async () => {
  accounts = await startTestAccounts()
  factors = factorsClient(accounts)
})
afterAll(() => accounts.stop())

const begin = (token: string) => accounts.call('POST', PASSKEYS, { token, body: { password: PASSWORD } })
const confirm = (token: string, challenge: string, passkey: object, name = 'Laptop') =>
  accounts.call('POST', `${PASSKEYS}/confirm`, { token, body: { challenge, name, passkey } })
const signInAlone = async () => (await accounts.call('POST', '/auth/passkey')).body

/** A user with a passkey. */
async function createPasskeyUser(): Promise<TestUser & { passkey: ReturnType<typeof softwarePasskey> }> {
  const user = await accounts.createUser()
  const passkey = softwarePasskey()
  const { challenge } = (await begin(user.token)).body
  const { body } = await confirm(user.token, challenge, passkey.create({ challenge }))
  return { ...user, token: body.accessToken, passkey }
}

describe('adding a passkey', () => {
  it('asks the browser for one of this platform, and brings recovery codes with the first', async () => {
    const user = await accounts.createUser()
    const passkey = softwarePasskey()
    const { body } = await begin(user.token)
    expect(body.options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: user.email },
      challenge: body.challenge,
      attestation: 'none',
      pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
      authenticatorSelection: { residentKey: 'preferred' },
    })
    const confirmed = await confirm(user.token, body.challenge, passkey.create(body))
    expect(confirmed).toMatchObject({ status: 200, body: { factor: { kind: 'passkey', name: 'Laptop' } } })
    expect(confirmed.body.recoveryCodes).toHaveLength(10)
    expect(claimsOf(confirmed.body.accessToken).amr).toEqual(['pwd', 'pop', 'mfa'])

    const second = (await begin(confirmed.body.accessToken)).body
    expect(second.options.excludeCredentials).toEqual([expect.objectContaining({ id: passkey.id })])
    const again = await confirm(confirmed.body.accessToken, second.challenge, softwarePasskey().create(second), 'Key ring')
    expect(again.body).toEqual({ factor: expect.objectContaining({ name: 'Key ring' }) })
  })

  it.each<[string, (challenge: string) => object]>([
    ['of another site', (challenge) => softwarePasskey().create({ challenge, origin: 'https://evil.example' })],
    ['for another site', (challenge) => softwarePasskey().create({ challenge, rpId: 'evil.example' })],
    ['for another challenge', () => softwarePasskey().create({ challenge: 'AAAA' })],
    [
      'that is a signature',
      (challenge) => ({ ...softwarePasskey().create({ challenge }), response: { clientDataJSON: '', attestationObject: '' } }),
    ],
    [
      'whose bytes mean nothing',
      (challenge) => ({ ...softwarePasskey().create({ challenge }), response: { clientDataJSON: 'e30', attestationObject: 'AAAA' } }),
    ],
  ])('refuses one %s', async (_, make) => {
    const user = await accounts.createUser()
    const { challenge } = (await begin(user.token)).body
    expect(await confirm(user.token, challenge, make(challenge))).toMatchObject({ status: 403, body: { code: 'InvalidSecondFactor' } })
    expect((await factors.list(user.token)).body.factors).toEqual([])
  })

  it('refuses the challenge of somebody else, or of another purpose, and one that somebody has added', async () => {
    const [ada, bob] = [await createPasskeyUser(), await accounts.createUser()]
    const { challenge } = (await begin(bob.token)).body
    expect((await confirm(ada.token, challenge, softwarePasskey().create({ challenge }))).body.code).toBe('InvalidChallenge')
    const step = (await factors.begin(ada)).body.challenge
    expect((await confirm(ada.token, step, softwarePasskey().create({ challenge: step }))).body.code).toBe('InvalidChallenge')
    expect((await confirm(bob.token, challenge, ada.passkey.create({ challenge }))).body.code).toBe('InvalidSecondFactor')
  })
})

describe('signing in with a passkey', () => {
  it('follows the password', async () => {
    const user = await createPasskeyUser()
    const { body } = await factors.begin(user)
    expect(body).toMatchObject({
      methods: ['passkey', 'recovery-code'],
      passkey: { rpId: 'localhost', allowCredentials: [{ id: user.passkey.id }] },
    })
    const reply = await factors.answer(body.challenge, { passkey: user.passkey.get({ ...body, isUserVerified: false }) })
    expect(reply.status).toBe(200)
    expect(claimsOf(reply.body.accessToken).amr).toEqual(['pwd', 'pop', 'mfa'])
    expect((await factors.list(reply.body.accessToken)).body.factors[0].usedAt).toEqual(expect.any(String))
  })

  it('works without a password, where a PIN or a fingerprint was asked for', async () => {
    const user = await createPasskeyUser()
    const asked = await signInAlone()
    expect(asked).toMatchObject({ methods: ['passkey'], passkey: { userVerification: 'required' } })
    const unverified = await factors.answer(asked.challenge, { passkey: user.passkey.get({ ...asked, isUserVerified: false }) })
    expect([unverified.status, unverified.body.code]).toEqual([403, 'InvalidSecondFactor'])
    const { status, body } = await factors.answer(asked.challenge, { passkey: user.passkey.get(asked) })
    expect(status).toBe(200)
    expect(claimsOf(body.accessToken)).toMatchObject({ sub: user.id, amr: ['pop', 'user', 'mfa'] })
  })

  it('without a password takes nothing but a passkey', async () => {
    const user = await factors.createAppUser()
    for (const code of [user.code(), user.recoveryCodes[0]])
      expect((await factors.answer((await signInAlone()).challenge, { code })).status).toBe(403)
  })

  it('refuses a counter that has not risen: the passkey may have been copied', async () => {
    const user = await createPasskeyUser()
    const attempt = async (counter: number) => {
      const asked = await signInAlone()
      return (await factors.answer(asked.challenge, { passkey: user.passkey.get({ ...asked, counter }) })).status
    }
    expect([await attempt(5), await attempt(5), await attempt(4), await attempt(0), await attempt(6)]).toEqual([200, 403, 403, 403, 200])
  })

  it.each<[string, (user: Awaited<ReturnType<typeof createPasskeyUser>>, challenge: string) => object]>([
    ['of another site', ({ passkey }, challenge) => passkey.get({ challenge, origin: 'https://evil.example' })],
    ['for another site', ({ passkey }, challenge) => passkey.get({ challenge, rpId: 'evil.example' })],
    ['over another challenge', ({ passkey }) => passkey.get({ challenge: 'AAAA' })],
    ['that claims another user', ({ passkey }, challenge) => passkey.get({ challenge, userHandle: 'AAAA' })],
    ['by an unknown passkey', (_, challenge) => softwarePasskey().get({ challenge })],
    [
      'by another key under the same id',
      ({ passkey }, challenge) => ({ ...softwarePasskey().get({ challenge }), id: passkey.id, rawId: passkey.id }),
    ],
  ])('refuses a signature %s', async (_, make) => {
    const user = await createPasskeyUser()
    for (const { challenge } of [await signInAlone(), (await factors.begin(user)).body])
      expect((await factors.answer(challenge, { passkey: make(user, challenge) })).status).toBe(403)
  })

  it('refuses the passkey of somebody else after the password', async () => {
    const [ada, bob] = [await createPasskeyUser(), await createPasskeyUser()]
    const { challenge } = (await factors.begin(ada)).body
    expect((await factors.answer(challenge, { passkey: bob.passkey.get({ challenge }) })).status).toBe(403)
  })

  it('ends with the passkey', async () => {
    const user = await createPasskeyUser()
    const [{ id }] = (await factors.list(user.token)).body.factors
    await accounts.call('DELETE', `/users/me/second-factors/${id}`, { token: user.token })
    const asked = await signInAlone()
    expect((await factors.answer(asked.challenge, { passkey: user.passkey.get(asked) })).status).toBe(403)
  })
})
