import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { hash } from '@node-rs/argon2'
import { retryWhileBusy } from '@trestle/testing/retry-while-busy'
import { type AccountsUnderTest, type HttpReply, PASSWORD, startTestAccounts, type TestUser } from './accounts.js'

const WRONG = 'not the password of anybody'

describe('signing in', () => {
  let accounts: AccountsUnderTest
  let ada: TestUser
  beforeAll(async () => {
    accounts = await startTestAccounts()
    ada = await accounts.createUser({ email: 'ada@example.org' })
  })
  afterAll(() => accounts.stop())

  // Failures from one network are counted together: every test that fails has its own.
  let networks = 0
  const newNetwork = () => `203.0.113.${++networks}`
  const signIn = (basic: string, from?: string) => accounts.call('POST', '/auth', { basic, from })
  const withHeader = (authorization: string, from = newNetwork()) => accounts.call('POST', '/auth', { headers: { authorization }, from })
  const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64')

  it('returns a token for the area', async () => {
    const { status, headers, body } = await signIn(`ada@example.org:${PASSWORD}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['accessToken'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await accounts.call('GET', '/users/me', { token: body.accessToken })).body.id).toBe(ada.id)
  })

  it.each(['ada@example.org', 'ADA@EXAMPLE.ORG', () => ada.id])('accepts %s as the user', async (user) => {
    expect((await signIn(`${typeof user === 'string' ? user : user()}:${PASSWORD}`)).status).toBe(200)
  })

  it('accepts no user id in another case', async () => {
    expect((await signIn(`${ada.id.toUpperCase()}:${PASSWORD}`, newNetwork())).status).toBe(401)
  })

  it('treats an address with a trailing space as another one', async () => {
    expect((await signIn(`ada@example.org :${PASSWORD}`, newNetwork())).status).toBe(401)
  })

  it.each(['basic', 'BASIC'])('accepts the scheme as %s', async (scheme) => {
    expect((await withHeader(`${scheme} ${base64(`ada@example.org:${PASSWORD}`)}`)).status).toBe(200)
  })

  it.each<[string, string | undefined]>([
    ['no header', undefined],
    ['the scheme alone', 'Basic'],
    ['another scheme', `XBasic ${base64(`ada@example.org:${PASSWORD}`)}`],
    ['what is no base64', 'Basic !!!'],
    ['the URL-safe alphabet', 'Basic YT8_Pzo_Pz8_'],
    ['no colon', `Basic ${base64('ada@example.org')}`],
    ['no user', `Basic ${base64(`:${PASSWORD}`)}`],
    ['no password', `Basic ${base64('ada@example.org:')}`],
    ['Latin-1', `Basic ${base64(Buffer.from('ada@example.org:wörd', 'latin1'))}`],
    ['SQL', `Basic ${base64(`' OR 1=1 --:${PASSWORD}`)}`],
    ['36 hyphens for an id', `Basic ${base64(`user-${'-'.repeat(36)}:${PASSWORD}`)}`],
    ['a user of 10 KB', `Basic ${base64(`${'x'.repeat(10_000)}:${PASSWORD}`)}`],
  ])('refuses %s', async (_, authorization) => {
    const { status, headers, body } = await accounts.call('POST', '/auth', {
      headers: authorization ? { authorization } : {},
      from: newNetwork(),
    })
    expect([status, body.code]).toEqual([401, 'InvalidCredentials'])
    expect(headers.get('www-authenticate')).toBe('Basic realm="trestle", charset="UTF-8"')
  })

  it('refuses two headers, even if both are right', async () => {
    const authorization = `Basic ${base64(`ada@example.org:${PASSWORD}`)}`
    expect(await statusOf(['Host', 'x', 'Authorization', authorization, 'Authorization', authorization])).toBe(401)
    expect(await statusOf(['Host', 'x', 'Authorization', authorization])).toBe(200)
  })

  it.each([
    ['with colons', 'correct:horse::battery:'],
    ['in Unicode', 'wörd 😀 草枕 пароль'],
    ['with spaces at its ends', '  correct horse battery '],
    ['of 64 bytes', Array.from({ length: 64 }, (_, index) => String.fromCharCode(59 + ((index * 37) % 64))).join('')],
    [
      'of 1024 bytes',
      Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(3, '0').concat('é'.slice(0, 1)))
        .join('')
        .slice(0, 768),
    ],
  ])('takes a password %s, and none that is almost it', async (_, password) => {
    const { email } = await accounts.createUser({ password })
    const near = [password.trim(), `${password}x`, password.slice(0, -1), password.toUpperCase(), password.normalize('NFD')]
    const from = newNetwork()
    for (const other of near.filter((text) => text !== password).slice(0, 4))
      expect((await signIn(`${email}:${other}`, from)).status).toBe(Buffer.byteLength(other) > 1024 ? 400 : 401)
    expect((await signIn(`${email}:${password}`, from)).status).toBe(200)
  })

  it('refuses a password that is too long before it looks up the user', async () => {
    const { status, body } = await signIn(`ada@example.org:${'x'.repeat(1025)}`, newNetwork())
    expect([status, body.code]).toEqual([400, 'InvalidInput'])
  })

  it('uses the header only: a body and a bearer token change nothing', async () => {
    const basic = `ada@example.org:${PASSWORD}`
    expect((await accounts.call('POST', '/auth', { basic, body: { username: 'eve', password: WRONG } })).status).toBe(200)
    expect((await accounts.call('POST', '/auth', { basic, headers: { 'content-type': 'application/json' } })).status).toBe(200)
    expect((await accounts.call('POST', '/auth', { token: 'stale' })).status).toBe(401)
  })

  describe('about whom nothing may be learned', () => {
    it('responds alike to a wrong password, an unknown user, a disabled one and an unverified one', async () => {
      const disabled = await accounts.createUser()
      await accounts.sql.query('UPDATE "user" SET disabled_at = now() WHERE id = $1', [disabled.id])
      const unverified = `${randomUUID()}@example.org`
      await accounts.register(unverified)
      const answers = [
        await signIn(`ada@example.org:${WRONG}`, newNetwork()),
        await signIn(`nobody@example.org:${WRONG}`, newNetwork()),
        await signIn(`nobody:${WRONG}`, newNetwork()),
        await signIn(`user-${randomUUID()}:${WRONG}`, newNetwork()),
        await signIn(`${disabled.email}:${WRONG}`, newNetwork()),
        await signIn(`${disabled.email}:${PASSWORD}`, newNetwork()),
        await signIn(`${unverified}:${WRONG}`, newNetwork()),
      ]
      expect(new Set(answers.map(comparable)).size).toBe(1)
      expect(answers[0]?.status).toBe(401)
    })

    it('reveals that the address is not verified only to a caller who knows the password', async () => {
      const email = `${randomUUID()}@example.org`
      await accounts.register(email)
      const { status, body } = await signIn(`${email}:${PASSWORD}`, newNetwork())
      expect([status, body.code]).toEqual([403, 'UserNotVerified'])
    })

    it('refuses an unknown user for too many attempts as it refuses a known one', async () => {
      const attempts = async (user: string) => {
        const from = newNetwork()
        const answers: HttpReply[] = []
        for (let attempt = 0; attempt < 6; attempt++) answers.push(await signIn(`${user}:${WRONG}`, from))
        return answers
      }
      const known = await attempts((await accounts.createUser()).email)
      const unknown = await attempts('never-seen@münchen.example')
      expect(known.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
      expect(known.map(comparable)).toEqual(unknown.map(comparable))
      expect(known[5]?.body.code).toBe('TooManyAttempts')
      expect(known[5]?.headers.get('retry-after')).toBe('1')
      expect((await signIn(`NEVER-SEEN@xn--mnchen-3ya.example:${WRONG}`, newNetwork())).status).toBe(429)
    })
  })

  describe('too often', () => {
    let pass: (ms: number) => void
    beforeEach(() => {
      pass = accounts.stopClock()
    })
    afterEach(() => accounts.setClockAhead(0))

    it('doubles the wait with each failure, and resets it after a success', async () => {
      const { email } = await accounts.createUser()
      const from = newNetwork()
      const fail = () => signIn(`${email}:${WRONG}`, from)
      for (let failure = 0; failure < 4; failure++) expect((await fail()).status).toBe(401)
      for (const wait of ['1', '2', '4', '8', '16']) {
        expect((await fail()).status).toBe(401)
        expect((await signIn(`${email}:${PASSWORD}`, from)).headers.get('retry-after')).toBe(wait)
        pass(60_000)
      }
      expect((await signIn(`${email}:${PASSWORD}`, from)).status).toBe(200)
      expect((await fail()).status).toBe(401)
      expect((await fail()).status).toBe(401)
    })

    it('causes no wait on a network from which the user has signed in lately', async () => {
      const { email } = await accounts.createUser()
      const home = newNetwork()
      expect((await signIn(`${email}:${PASSWORD}`, home)).status).toBe(200)
      const attack = newNetwork()
      for (let attempt = 0; attempt < 7; attempt++) await signIn(`${email}:${WRONG}`, attack)
      expect((await signIn(`${email}:${PASSWORD}`, newNetwork())).status).toBe(429)
      expect((await signIn(`${email}:${PASSWORD}`, home)).status).toBe(200)
    })

    it('stops a network that tries one password on many users', async () => {
      const answers: HttpReply[] = []
      for (let batch = 0; batch < 10; batch++) {
        const users = Array.from({ length: 10 }, () => `${randomUUID()}@example.org`)
        // One customer of a provider has all the addresses of a /64.
        answers.push(...(await Promise.all(users.map((user, index) => signIn(`${user}:${WRONG}`, `2001:db8:7:7::${batch}${index}`)))))
      }
      const tried = answers.filter(({ status }) => status === 401)
      expect(tried).toHaveLength(30)
      expect(answers.at(-1)?.body.code).toBe('TooManyAttempts')
      expect((await signIn(`${ada.email}:${PASSWORD}`, '2001:db8:7:8::1')).status).toBe(200)
    })

    it('locks nobody out who is known on the network of a guesser, and stops guesses of that user there', async () => {
      const { email } = await accounts.createUser()
      const office = newNetwork()
      expect((await signIn(`${email}:${PASSWORD}`, office)).status).toBe(200)
      for (let time = 0; time < 40; time++) await signIn(`${randomUUID()}@example.org:${WRONG}`, office)
      expect((await signIn(`${ada.email}:${PASSWORD}`, office)).status).toBe(429)
      expect((await signIn(`${email}:${PASSWORD}`, office)).status).toBe(200)

      const guesses: number[] = []
      for (let time = 0; time < 40; time++) guesses.push((await signIn(`${email}:${WRONG}`, office)).status)
      expect(guesses.filter((status) => status === 401)).toHaveLength(30)
    })

    it('checks at most five of two hundred simultaneous wrong passwords', async () => {
      const { email } = await accounts.createUser()
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          retryWhileBusy(() => signIn(`${email}:${WRONG}`, `198.51.${index % 2 ? 101 : 100}.${index}`)),
        ),
      )
      const checked = answers.filter(({ status }) => status === 401).length
      expect(checked).toBeLessThanOrEqual(5)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - checked)
    })

    it('counts nothing for right passwords', async () => {
      const { email } = await accounts.createUser()
      const from = newNetwork()
      for (let time = 0; time < 35; time++) expect((await signIn(`${email}:${PASSWORD}`, from)).status).toBe(200)
    })

    it('names nobody in the database', async () => {
      const { rows } = await accounts.sql.query(
        'SELECT row_to_json(a)::text AS row FROM attempt a UNION ALL SELECT row_to_json(k)::text FROM known_network k',
      )
      expect(rows.length).toBeGreaterThan(10)
      expect(rows.filter(({ row }) => /example|user-|203\.0\.113/.test(row))).toEqual([])
    })
  })

  it('rehashes a password that was hashed with weaker parameters', async () => {
    const { id, email } = await accounts.createUser()
    const weak = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1, secret: Buffer.from('development-pepper') })
    await accounts.sql.query('UPDATE "user" SET password_hash = $1 WHERE id = $2', [weak, id])
    expect((await signIn(`${email}:${WRONG}`, newNetwork())).status).toBe(401)
    expect(await storedHash(id)).toBe(weak)
    await accounts.signIn(email)
    expect(await storedHash(id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await accounts.signIn(email)
  })

  it('treats a damaged hash as a wrong password, and counts it in a metric', async () => {
    const { id, email } = await accounts.createUser()
    await accounts.sql.query('UPDATE "user" SET password_hash = \'$argon2id$damaged\' WHERE id = $1', [id])
    const { status, body } = await signIn(`${email}:${PASSWORD}`, newNetwork())
    expect([status, body.code]).toEqual([401, 'InvalidCredentials'])
    const metrics = await (await fetch(`${accounts.service.internalUrl}/metrics`)).text()
    expect(metrics).toMatch(/^password_hash_malformed_total 1$/m)
  })

  it('stores no password, and no hash that works without the pepper', async () => {
    const { rows } = await accounts.sql.query('SELECT row_to_json(u)::text AS row FROM "user" u')
    expect(rows.filter(({ row }) => row.includes(PASSWORD))).toEqual([])
    const replica = await accounts.replica({ PASSWORD_PEPPER: 'another pepper' })
    const answer = await fetch(`${replica.url}/auth`, {
      method: 'POST',
      headers: { authorization: `Basic ${base64(`${ada.email}:${PASSWORD}`)}` },
    })
    await replica.stop()
    expect(answer.status).toBe(401)
  })

  async function storedHash(id: string): Promise<string> {
    return (await accounts.sql.query('SELECT password_hash FROM "user" WHERE id = $1', [id])).rows[0].password_hash
  }

  /** The answer without what differs between any two. */
  function comparable({ status, headers, body }: HttpReply): string {
    const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    return JSON.stringify([status, kept, { ...body, requestId: '' }])
  }

  function statusOf(headers: string[]): Promise<number | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    request(`${accounts.url}/auth`, { method: 'POST', headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
    return promise
  }
})
