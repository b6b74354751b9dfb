import { problem, StubPlatform } from '../../test/stub-platform.js'

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

const IN_THREE_DAYS = '2026-11-25T12:00:00.000Z'
const NOTHING = { graceHours: 72, resources: [], organizations: [], blockers: [], unreachable: [] }

describe('trestle account email', () => {
  it('sends the password from a pipe, never from an option, and says that nothing has changed yet', async () => {
    platform.on('POST /accounts/users/me/email-changes', {
      status: 202,
      body: { email: 'ada@new.example', status: 'confirmationSent' },
    })
    expect(await platform.run('account email ada@new.example --password-stdin', { stdin: 'secret words\n' })).toEqual({
      exit: 0,
      stdout: '',
      stderr: expect.stringContaining('until then nothing changes'),
      requests: ['POST /accounts/users/me/email-changes {"email":"ada@new.example","password":"secret words"}'],
    })
    expect(await platform.run('account email ada@new.example --password secret')).toMatchObject({ exit: 2, requests: [] })
    expect(await platform.run('account email ada@new.example')).toMatchObject({ exit: 2, requests: [] })
  })
})

describe('an account without a password', () => {
  const FACTORS = '/accounts/users/me/second-factors'
  const signInAgain = problem(401, 'StepUpRequired', 'A fresh sign-in is required.')
  beforeEach(() => {
    platform.on(`GET ${FACTORS}`, { body: { factors: [], recoveryCodes: 0, hasPassword: false } })
  })

  it.each([
    [
      'account email ada@new.example',
      'POST /accounts/users/me/email-changes',
      '{"email":"ada@new.example"}',
      { email: 'ada@new.example', status: 'confirmationSent' },
    ],
    ['account delete --yes', 'POST /accounts/users/me/deletion', '{}', { ...NOTHING, dueAt: IN_THREE_DAYS }],
  ])('is not asked for one by trestle %s: the second factor is the proof', async (line, route, body, accepted) => {
    platform.on(route, problem(401, 'StepUpRequired', 'A fresh proof.'), { status: 202, body: accepted })
    platform.on('POST /accounts/auth/step-up', { body: { challenge: 'c1', methods: ['totp'], expiresAt: IN_THREE_DAYS } })
    platform.on('POST /accounts/auth/second-factor', { body: { accessToken: 'proven-token' } })
    expect(await platform.run(line, { typed: ['123456'] })).toMatchObject({
      exit: 0,
      requests: [
        `GET ${FACTORS}`,
        `${route} ${body}`,
        'POST /accounts/auth/step-up',
        'POST /accounts/auth/second-factor {"challenge":"c1","code":"123456"}',
        `${route} ${body}`,
      ],
    })
  })

  it('is led to the console where it has no second factor either', async () => {
    platform.on('POST /accounts/users/me/deletion', signInAgain)
    platform.on('POST /accounts/auth/step-up', problem(404, 'UnknownSecondFactor', 'You have no such second factor.'))
    expect(await platform.run('account delete --yes', { typed: [] })).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining(`Sign in again in the console and do it there: ${platform.url}/app/settings`),
    })
  })
})

describe('trestle account export', () => {
  it('writes the lines as they are', async () => {
    const lines = '{"kind":"profile","data":{}}\n{"kind":"end","data":{"lines":1}}\n'
    platform.on('POST /accounts/users/me/data-export', { body: lines, headers: { 'content-type': 'application/x-ndjson' } })
    expect(await platform.run('account export')).toMatchObject({ exit: 0, stdout: lines })
  })
})

describe('trestle account deletion', () => {
  it('shows what happens to what one has, and what stands in the way', async () => {
    platform.on('GET /accounts/users/me/deletion', {
      body: {
        ...NOTHING,
        dueAt: IN_THREE_DAYS,
        resources: [{ deployment: 'nodes', kind: 'node', state: 'started', count: 2, effect: 'deleted' }],
        organizations: [{ id: 'org-1', name: 'Engines', effect: 'blocks' }],
        blockers: ['You are the last owner of "Engines".'],
        unreachable: ['eth'],
      },
    })
    const { stdout, stderr } = await platform.run('account deletion')
    expect(stdout).toContain('node (nodes)          started  2      deleted')
    expect(stdout).toContain('must be ended first')
    for (const text of ['last owner', 'eth does not answer', 'in 3d', 'trestle account keep']) expect(stderr).toContain(text)
  })

  it('says so where there is nothing', async () => {
    platform.on('GET /accounts/users/me/deletion', { body: NOTHING })
    expect(await platform.run('account deletion')).toMatchObject({ stdout: '', stderr: expect.stringContaining('nothing besides') })
  })
})

describe('trestle account delete', () => {
  const body = { ...NOTHING, requestedAt: '2026-11-22T12:00:00.000Z', dueAt: IN_THREE_DAYS }

  it('asks first, and for the password', async () => {
    platform.on('POST /accounts/users/me/deletion', { status: 202, body })
    expect(await platform.run('account delete --password-stdin', { stdin: 'secret' })).toMatchObject({ exit: 2, requests: [] })
    expect(await platform.run('account delete --yes --password-stdin', { stdin: 'secret' })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('in 3d'),
      requests: ['POST /accounts/users/me/deletion {"password":"secret"}'],
    })
  })

  it('tells every reason why not', async () => {
    const refused = problem(409, 'DeletionBlocked', 'You have 3 validators in the state active: let them exit first.')
    platform.on('POST /accounts/users/me/deletion', refused)
    expect(await platform.run('account delete --yes --password-stdin', { stdin: 'secret' })).toMatchObject({
      stderr: expect.stringContaining('3 validators in the state active'),
    })
  })
})

describe('trestle account keep', () => {
  it('cancels it', async () => {
    platform.on('DELETE /accounts/users/me/deletion', { status: 204 })
    expect(await platform.run('account keep')).toMatchObject({ exit: 0, stderr: 'Your account is kept.\n' })
  })
})
