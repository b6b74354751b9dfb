import { eventually } from '@trestle/testing/eventually'
import { tokenMailedTo } from '../mailbox.js'
import { platform } from './platform.js'

// The story of the README, through the ingress, with plain HTTP as a new user would.

describe('the first minutes with Trestle', () => {
  const call = (method: string, path: string, init: { token?: string; basic?: string; body?: unknown } = {}) =>
    fetch(`${platform.ingress}${path}`, {
      method,
      headers: {
        ...(init.token && { authorization: `Bearer ${init.token}` }),
        ...(init.basic && { authorization: `Basic ${Buffer.from(init.basic).toString('base64')}` }),
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
      },
      body: init.body === undefined ? undefined : JSON.stringify(init.body),
    })

  it('leads from sign-up to a client token and the list of activity', async () => {
    const email = 'first@example.org'
    const password = 'analytical engines weave'
    const billingAddress = { country: 'GB', zipCode: 'W1', address: 'St James Square 12', state: 'London' }

    const signUp = await call('POST', '/accounts/users', { body: { email, displayName: 'Ada', password, billingAddress } })
    expect(signUp.status).toBe(201)
    expect(await signUp.json()).toEqual({ email, status: 'verificationSent' })

    const early = await call('POST', '/accounts/auth', { basic: `${email}:${password}` })
    expect([early.status, ((await early.json()) as { code: string }).code]).toEqual([403, 'UserNotVerified'])

    const verified = await call('PUT', `/accounts/users/${email}/token/${await tokenMailedTo(email, platform.mailbox)}`)
    expect(await verified.json()).toMatchObject({ email, code: 'UserVerified' })

    const signedIn = await call('POST', '/accounts/auth', { basic: `${email}:${password}` })
    const { accessToken } = (await signedIn.json()) as { accessToken: string }
    const me = await call('GET', '/accounts/users/me', { token: accessToken })
    expect(await me.json()).toMatchObject({ email, displayName: 'Ada', entityType: 'individual', billingAddress })

    const created = await call('POST', '/accounts/users/me/client-keys', { token: accessToken })
    const { clientId, clientSecret } = (await created.json()) as { clientId: string; clientSecret: string }
    const issued = await call('POST', '/accounts/auth/token', { body: { grantType: 'clientCredentials', clientId, clientSecret } })
    const client = (await issued.json()) as { accessToken: string; refreshToken: string }
    expect(client).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String) })

    const refused = await call('GET', '/accounts/users/me', { token: client.accessToken })
    expect(refused.status).toBe(401)

    const refreshed = await call('POST', '/accounts/auth/token', { body: { grantType: 'refreshToken', refreshToken: client.refreshToken } })
    expect(await refreshed.json()).toMatchObject({ accessToken: expect.any(String) })

    const routes = await eventually(async () => {
      const events = (await (await call('GET', '/accounts/users/me/events', { token: accessToken })).json()) as {
        input: { route: string }
      }[]
      const listed = events.map(({ input }) => input.route)
      return listed.includes('/users/me') && listed.includes('/users/me/client-keys') ? listed : undefined
    }, 'the calls are listed')
    expect(routes.length).toBeGreaterThanOrEqual(2)
  })

  it('starts with a demo user who owns the demo organization and may read its bills', async () => {
    const { email, password } = platform.demo
    const { accessToken } = (await (await call('POST', '/accounts/auth', { basic: `${email}:${password}` })).json()) as {
      accessToken: string
    }
    const organizations = await (await call('GET', '/accounts/organizations', { token: accessToken })).json()
    expect(organizations).toEqual([
      expect.objectContaining({ roles: expect.arrayContaining(['owner', 'billing']) }),
      expect.objectContaining({ personal: true, roles: ['owner'] }),
    ])
  })

  it('serves the documentation of the API through the ingress', async () => {
    const document = (await (await call('GET', '/accounts/openapi.json')).json()) as { openapi: string; paths: object }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/users/me')
    expect((await call('GET', '/accounts/docs')).status).toBe(200)
  })
})
