import { jsonResponse, stubFetch } from '../testing/stub-fetch.js'
import { readSession, requestPasswordChange, requestSignIn, requestSignOut } from './session.client.js'

let stub: ReturnType<typeof stubFetch>
afterEach(() => stub.restore())

describe('the session client', () => {
  it('marks every call as the console’s own', async () => {
    stub = stubFetch(() => new Response(null, { status: 204 }))
    await requestSignIn('ada@example.org', 'secret')
    await requestPasswordChange('one', 'two')
    await requestSignOut()
    expect(stub.sent.map(({ url, method, headers }) => [method, url, headers.get('x-trestle-console')])).toEqual([
      ['POST', '/session', '1'],
      ['PATCH', '/session', '1'],
      ['DELETE', '/session', '1'],
    ])
    expect(stub.sent.map(({ body }) => body && JSON.parse(String(body)))).toEqual([
      { email: 'ada@example.org', password: 'secret' },
      { oldPassword: 'one', newPassword: 'two' },
      undefined,
    ])
  })

  it('reads who is signed in', async () => {
    stub = stubFetch(() => jsonResponse({ signedIn: true, manager: false, expiresAt: '2026-01-01T00:00:00Z' }))
    expect(await readSession()).toEqual({ signedIn: true, manager: false })
  })

  it('throws the platform’s problem, with its fields', async () => {
    stub = stubFetch(() =>
      jsonResponse({ code: 'InvalidInput', detail: 'Wrong.', errors: [{ path: 'email', message: 'is required' }] }, 400),
    )
    await expect(requestSignIn('', '')).rejects.toMatchObject({
      kind: 'invalid',
      code: 'InvalidInput',
      detail: 'Wrong.',
      errors: [{ path: 'email', message: 'is required' }],
    })
  })

  it.each([
    [401, 'unauthenticated'],
    [429, 'too-many'],
    [503, 'unavailable'],
  ])('knows the kind of problem behind status %i', async (status, kind) => {
    stub = stubFetch(() => jsonResponse({ code: 'Any', detail: 'Any.' }, status))
    await expect(requestSignIn('a', 'b')).rejects.toMatchObject({ kind })
  })

  it('says which status came where the answer is no problem', async () => {
    stub = stubFetch(() => new Response('<html>', { status: 502 }))
    await expect(readSession()).rejects.toMatchObject({ code: 'UnexpectedAnswer', detail: expect.stringContaining('502') })
  })

  it('refuses a session that is not one', async () => {
    stub = stubFetch(() => jsonResponse({ signedIn: 'yes' }))
    await expect(readSession()).rejects.toThrow()
  })
})
