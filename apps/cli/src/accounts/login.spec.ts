import { problem, StubPlatform } from '../../test/stub-platform.js'

const USER_ID = 'user-00000000-0000-4000-8000-000000000002'
const CLIENT_ID = 'client-00000000-0000-4000-8000-000000000003'
const YESTERDAY = '2026-11-21T12:00:00.000Z'
const TOMORROW = '2026-11-23T12:00:00.000Z'

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

describe('trestle login', () => {
  it('keeps the login of an account, without printing the password or the token', async () => {
    platform.on('POST /accounts/auth', { body: { accessToken: 'account-token' } })
    const line = `login --url ${platform.url} --email ada@example.org --password-stdin`
    const { exit, stdout, stderr } = await platform.run(line, { token: '', stdin: 'p4ssword\n' })
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' })
    expect(stderr).not.toMatch(/p4ssword|account-token/)
    expect(platform.store.loginOf('default')).toMatchObject({ kind: 'account', email: 'ada@example.org', token: 'account-token' })
  })

  it('keeps the login of a client key in the profile that is named', async () => {
    platform.on('POST /accounts/auth/token', { body: { accessToken: 'client-token' } })
    const line = `login --profile ci --client-id ${CLIENT_ID} --secret-stdin`
    expect(await platform.run(line, { token: '', stdin: 's3cret' })).toMatchObject({
      exit: 0,
      requests: [`POST /accounts/auth/token {"grantType":"clientCredentials","clientId":"${CLIENT_ID}","clientSecret":"s3cret"}`],
    })
    expect(platform.store.loginOf('ci')).toMatchObject({ kind: 'client', clientId: CLIENT_ID, token: 'client-token' })
  })

  describe('with a browser', () => {
    const BEGUN = {
      device_code: 's3cret',
      user_code: 'BCDF-GHJK',
      verification_uri: 'https://trestle.example/app/device',
      verification_uri_complete: 'https://trestle.example/app/device?code=BCDF-GHJK',
      expires_in: 600,
      interval: 0,
    }
    const pending = problem(400, 'AuthorizationPending', 'Not yet.')
    const granted = { body: { access_token: 'browser-token', token_type: 'Bearer', expires_in: 43_200, scope: 'account' } }
    const PROFILE = {
      id: USER_ID,
      email: 'ada@acme.example',
      displayName: 'Ada',
      entityType: 'individual',
      verifiedAt: YESTERDAY,
      createdAt: YESTERDAY,
      updatedAt: YESTERDAY,
      billingAddress: { country: '', zipCode: '', address: '', state: '' },
    }
    const line = () => `login --browser --profile web --url ${platform.url}`

    it('shows the page and the code, waits, and keeps the login', async () => {
      platform.on('POST /accounts/oauth2/device_authorization', { body: BEGUN })
      platform.on('POST /accounts/oauth2/token', pending, problem(503, 'Busy', 'Wait.'), pending, granted)
      platform.on('GET /accounts/users/me', { body: PROFILE })
      const { exit, stdout, stderr, requests } = await platform.run(line())
      expect([exit, stdout]).toEqual([0, ''])
      expect(stderr).toContain('https://trestle.example/app/device?code=BCDF-GHJK')
      expect(stderr).toContain('the code is BCDF-GHJK')
      expect(stderr).toContain('as ada@acme.example')
      expect(stderr).not.toMatch(/s3cret|browser-token/)
      expect(requests.filter((each) => each.startsWith('POST /accounts/oauth2/token'))).toHaveLength(4)
      expect(platform.store.loginOf('web')).toMatchObject({ kind: 'account', email: 'ada@acme.example', token: 'browser-token' })
    })

    it.each([
      ['AccessDenied', 4],
      ['ExpiredDeviceCode', 3],
    ])('ends with %s', async (code, exit) => {
      platform.on('POST /accounts/oauth2/device_authorization', { body: BEGUN })
      platform.on('POST /accounts/oauth2/token', problem(400, code, 'No.'))
      expect(await platform.run(line())).toMatchObject({ exit, stderr: expect.stringContaining('No.') })
    })

    it('takes no address and no key', async () => {
      for (const more of ['--email a@b.example', `--client-id ${CLIENT_ID}`])
        expect(await platform.run(`login --browser ${more}`)).toMatchObject({ exit: 2, requests: [] })
    })
  })

  it('asks for a code where the account has a second factor', async () => {
    const challenge = { challenge: 'c1', methods: ['totp', 'recovery-code'], expiresAt: TOMORROW }
    platform.on('POST /accounts/auth', problem(403, 'SecondFactorRequired', 'A code, please.', challenge))
    platform.on('POST /accounts/auth/second-factor', { body: { accessToken: 'proven-token' } })
    const { exit, stderr, requests } = await platform.run('login --email ada@example.org', { token: '', typed: ['p4ssword', ' 123456 '] })
    expect([exit, requests.at(-1)]).toEqual([0, 'POST /accounts/auth/second-factor {"challenge":"c1","code":"123456"}'])
    expect(stderr).toContain('Code of your authenticator app, or a recovery code: ')
    expect(platform.store.loginOf('default')).toMatchObject({ kind: 'account', token: 'proven-token' })
  })

  it('says what to do where there is no terminal to ask for the code', async () => {
    const challenge = { challenge: 'c1', methods: ['passkey'], expiresAt: TOMORROW }
    platform.on('POST /accounts/auth', problem(403, 'SecondFactorRequired', 'A code, please.', challenge))
    const { exit, stderr } = await platform.run('login --email ada@example.org --password-stdin', { token: '', stdin: 'p4ssword' })
    expect([exit, stderr]).toEqual([2, expect.stringContaining('programs use a client key')])
  })

  it('keeps the earlier login when the password is wrong', async () => {
    platform.on('POST /accounts/auth', problem(401, 'InvalidCredentials', 'The credentials are wrong.'))
    const before = platform.store.loginOf('default')
    const line = 'login --email eve@example.org --password-stdin'
    expect(await platform.run(line, { token: '', stdin: 'guess' })).toMatchObject({ exit: 3 })
    expect(platform.store.loginOf('default')).toEqual(before)
  })

  it.each([
    'ftp://trestle.example',
    'trestle.example',
    'http://ada:pw@trestle.example',
    'http://:pw@trestle.example',
    'http://trestle.example/?x=1',
  ])('refuses --url %s', async (url) => {
    expect(await platform.run(`login --url ${url} --email a@b.example --password-stdin`)).toMatchObject({ exit: 2, requests: [] })
  })

  it('refuses an empty password', async () => {
    const result = await platform.run('login --email ada@example.org --password-stdin')
    expect(result).toMatchObject({ exit: 2, requests: [], stderr: expect.stringContaining('The password is empty.') })
  })
})

describe('trestle factors', () => {
  const FACTOR = { id: 'factor-00000000-0000-4000-8000-000000000006', kind: 'totp', name: 'Authenticator app', createdAt: YESTERDAY }
  const ME = '/accounts/users/me/second-factors'
  const stepUp = problem(401, 'StepUpRequired', 'A fresh proof of a second factor is required.')
  const login = () =>
    platform.store.setLogin('default', { kind: 'account', url: platform.url, email: 'ada@example.org', token: 'old-token' })

  it('lists them', async () => {
    platform.on(`GET ${ME}`, { body: { factors: [FACTOR], recoveryCodes: 9, hasPassword: true } })
    expect((await platform.run('factors list')).stdout).toContain('totp  Authenticator app  1d ago   never')
  })

  it('adds an authenticator app, and keeps the token that replaces the login', async () => {
    login()
    platform.on(`GET ${ME}`, { body: { factors: [], recoveryCodes: 0, hasPassword: true } })
    platform.on(`POST ${ME}/totp`, { body: { secret: 'MZXW6YTB', uri: 'otpauth://totp/x' } })
    platform.on(`POST ${ME}/totp/confirm`, { body: { factor: FACTOR, recoveryCodes: ['aaaa-bbbb'], accessToken: 'new-token' } })
    const { exit, stdout, stderr, requests } = await platform.run('factors add', { token: '', typed: ['p4ssword', '123456'] })
    const calls = [`GET ${ME}`, `POST ${ME}/totp {"password":"p4ssword"}`, `POST ${ME}/totp/confirm {"code":"123456"}`]
    expect([exit, requests]).toEqual([0, calls])
    expect(stderr).toContain('MZXW6YTB')
    expect(stdout).toContain('aaaa-bbbb')
    expect(platform.store.loginOf('default')).toMatchObject({ token: 'new-token' })
  })

  it.each([
    ['has a factor already', { factors: [FACTOR], recoveryCodes: 9, hasPassword: true }],
    ['signs in with an identity provider', { factors: [], recoveryCodes: 0, hasPassword: false }],
  ])('asks for no password who %s', async (_, body) => {
    login()
    platform.on(`GET ${ME}`, { body })
    platform.on(`POST ${ME}/totp`, { body: { secret: 'MZXW6YTB', uri: 'otpauth://totp/x' } })
    platform.on(`POST ${ME}/totp/confirm`, { body: { factor: FACTOR } })
    const { exit, requests } = await platform.run('factors add', { token: '', typed: ['123456'] })
    expect([exit, requests]).toEqual([0, [`GET ${ME}`, `POST ${ME}/totp {}`, `POST ${ME}/totp/confirm {"code":"123456"}`]])
  })

  it('asks for a code where a dangerous command demands a fresh one, once a run, and repeats the call', async () => {
    login()
    platform.on(`DELETE ${ME}/${FACTOR.id}`, stepUp, { body: {} })
    platform.on('POST /accounts/auth/step-up', { body: { challenge: 'c2', methods: ['totp'], expiresAt: TOMORROW } })
    platform.on('POST /accounts/auth/second-factor', { body: { accessToken: 'proven-token' } })
    const { exit, requests } = await platform.run(`factors rm ${FACTOR.id} --yes`, { token: '', typed: ['123456'] })
    expect([exit, requests]).toEqual([
      0,
      [
        `DELETE ${ME}/${FACTOR.id}`,
        'POST /accounts/auth/step-up',
        'POST /accounts/auth/second-factor {"challenge":"c2","code":"123456"}',
        `DELETE ${ME}/${FACTOR.id}`,
      ],
    ])
    expect(platform.store.loginOf('default')).toMatchObject({ token: 'proven-token' })
  })

  it('replaces the recovery codes', async () => {
    platform.on(`POST ${ME}/recovery-codes`, { body: { recoveryCodes: ['cccc-dddd'] } })
    expect((await platform.run('factors codes --yes')).stdout).toContain('code 1  cccc-dddd')
  })
})

describe('trestle logout', () => {
  it('ends the current session and no other', async () => {
    const session = { createdAt: YESTERDAY, expiresAt: TOMORROW, ip: '::1', userAgent: 'test' }
    const [own, other] = [5, 6].map((last) => `session-00000000-0000-4000-8000-00000000000${last}`)
    platform.on('POST /accounts/auth', { body: { accessToken: 'account-token' } })
    await platform.run(`login --url ${platform.url} --email ada@example.org --password-stdin`, { token: '', stdin: 'p4ssword' })
    const sessions = [
      { ...session, id: other, current: false },
      { ...session, id: own, current: true },
    ]
    platform.on('GET /accounts/users/me/sessions', { body: sessions }).on(`DELETE /accounts/users/me/sessions/${own}`, { status: 204 })
    const { requests } = await platform.run('logout', { token: '' })
    expect(requests).toEqual(['GET /accounts/users/me/sessions', `DELETE /accounts/users/me/sessions/${own}`])
    expect(platform.store.loginOf('default')).toBeUndefined()
  })

  it.each([
    [503, 'The platform did not end the session'],
    [401, 'Logged out.'],
  ])('forgets the login even if the platform responds with %i', async (status, text) => {
    platform.store.setLogin('default', { kind: 'account', url: platform.url, email: 'ada@example.org', token: 't' })
    platform.on('GET /accounts/users/me/sessions', { ...problem(status, 'Any', 'No.'), headers: { 'retry-after': '0' } })
    const { exit, stderr } = await platform.run('logout', { token: '' })
    expect([exit, stderr.split(/[:\n]/)[0]]).toEqual([0, text])
    expect(platform.store.loginOf('default')).toBeUndefined()
  })

  it('leaves commands without a login, which says how to get one', async () => {
    expect(await platform.run('whoami', { token: '' })).toMatchObject({
      exit: 3,
      requests: [],
      stderr: expect.stringContaining(`Run: trestle login --url ${platform.url}`),
    })
  })
})
