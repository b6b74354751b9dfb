import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEMO, seed } from './seed.js'

// Accounts, as far as the seed sees it.
interface FakeUser {
  password: string
  token?: string
}

describe(seed, () => {
  let server: Server
  let accounts: string
  const users = new Map<string, FakeUser>()
  const mails: { id: string; to: string; text: string }[] = []
  let organization: { id: string; roles: string[] } | undefined
  const changes: string[] = []

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      if (request.method !== 'GET') changes.push(`${request.method} ${request.url}`)
      const [status, body] = answer(request, JSON.parse((await textOf(request)) || '{}'))
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    accounts = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  it('makes the users, verified, and the organization', async () => {
    expect(await seed(accounts)).toEqual({ demoId: 'user-demo@trestle.local', notes: [] })
    expect(organization).toEqual({ id: 'org-1', roles: ['owner', 'billing'] })
  })

  it('changes nothing the second time', async () => {
    changes.length = 0
    expect((await seed(accounts)).notes).toEqual([])
    expect(changes.filter((change) => change !== 'POST /auth')).toEqual([])
  })

  it('succeeds when the demo user has another password by now', async () => {
    users.set(DEMO.email, { password: 'changed' })
    const { demoId, notes } = await seed(accounts)
    expect(demoId).toBe('user-demo@trestle.local')
    expect(notes).toEqual(['demo@trestle.local has another password by now; this one is no longer right.'])
  })

  function answer({ method, url = '', headers }: IncomingMessage, body: Record<string, string>): [status: number, body: unknown] {
    const path = url.split('?')[0] ?? ''
    const authorization = headers.authorization ?? ''
    const [, , id = '', , token = ''] = path.split('/')
    const answers: Record<string, () => [number, unknown]> = {
      'POST /auth': () => signIn(Buffer.from(authorization.slice('Basic '.length), 'base64').toString()),
      'POST /users': () => register(body.email ?? '', body.password ?? ''),
      'GET /dev/mailbox': () => [200, mails.filter(({ to }) => url.endsWith(encodeURIComponent(to))).toReversed()],
      [`PUT /users/${id}/token/${token}`]: () => verify(id, token),
      'GET /users/me': () => [200, { id: `user-${authorization.replace('Bearer ', '')}` }],
      'GET /users': () => [200, [{ id: `user-${DEMO.email}` }]],
      'GET /organizations': () => [
        200,
        [...(organization ? [organization] : []), { id: 'org-personal', roles: ['owner'], personal: true }],
      ],
      'POST /organizations': () => found(['owner']),
      [`PUT /organizations/org-1/members/user-${DEMO.email}`]: () => found(body.roles as unknown as string[]),
    }
    return answers[`${method} ${path}`]?.() ?? [404, {}]
  }

  function found(roles: string[]): [number, unknown] {
    organization = { id: 'org-1', roles }
    return [200, organization]
  }

  function signIn(credentials: string): [number, unknown] {
    const [email = '', password] = credentials.split(':')
    const user = users.get(email)
    if (user?.password !== password) return [401, {}]
    return user?.token ? [403, {}] : [200, { accessToken: email }]
  }

  function register(email: string, password: string): [number, unknown] {
    const token = users.has(email) ? undefined : crypto.randomUUID()
    if (token) users.set(email, { password, token })
    mails.push({ id: String(mails.length), to: email, text: token ? `Confirm: http://x/token/${token}` : 'You have an account.' })
    return [201, {}]
  }

  function verify(email: string, token?: string): [number, unknown] {
    const user = users.get(email)
    if (!user || user.token !== token) return [404, {}]
    user.token = undefined
    return [200, {}]
  }
})

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
