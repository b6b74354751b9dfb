import { createTrestle } from '@trestle/sdk/trestle'
import { eventually } from '@trestle/testing/eventually'
import pg from 'pg'
import { newcomer, type Person, platform } from './platform.js'

const open = createTrestle({ url: platform.ingress })

describe('a session whose token calls other services only', () => {
  let db: pg.Client
  let person: Person
  let watching: string
  beforeAll(async () => {
    db = new pg.Client(platform.postgres)
    await db.connect()
    person = await newcomer('busy-elsewhere')
    watching = await signIn()
  })
  afterAll(() => db.end())

  it.each<[string, (token: string) => Promise<() => Promise<unknown>>]>([
    [
      'JSON-RPC of an eth project',
      async (token) => {
        const project = await open.eth.projects.create({ token, body: { name: 'mine', requireToken: true } })
        const provider = open.eth.provider(project, { token })
        return () => provider.request({ method: 'eth_blockNumber' })
      },
    ],
    [
      'JSON-RPC of a node',
      async (token) => {
        const { id } = await open.nodes.nodes.create({ token, body: { image: 'ltc', jwt: true } })
        await eventually(
          async () => (await open.nodes.nodes.status({ token, params: { id } })).phase === 'ready' || undefined,
          'the node is ready',
          90_000,
        )
        return () => post(`${platform.ingress}/nodes/rpc/${id}`, token, { jsonrpc: '1.0', id: 1, method: 'getblockcount', params: [] })
      },
    ],
    ['lists of nodes', async (token) => () => open.nodes.nodes.list({ token })],
    ['lists of validators', async (token) => () => open.staking.validators.list({ token, params: { chain: 'dev' } })],
  ])('is in use while it calls %s, and another session is not', async (_, prepare) => {
    const [busy, idle] = [await signIn(), await signIn()]
    const call = await prepare(busy)
    await quiet(busy)
    const { rows } = await db.query(
      "UPDATE accounts.session SET used_at = now() - interval '110 minutes' WHERE id = ANY($1) RETURNING used_at",
      [[sessionOf(busy), sessionOf(idle)]],
    )
    const before = rows[0].used_at.toISOString()
    expect(await usedAt(idle)).toBe(before)
    await call()
    await eventually(async () => (await usedAt(busy)) > before || undefined, 'the call is known to be a use', 20_000)
    expect(await usedAt(idle)).toBe(before)
  })

  async function signIn(): Promise<string> {
    const { email: username, password } = person
    return (await open.accounts.sessions.signIn({ basic: { username, password } })).accessToken
  }

  async function usedAt(token: string): Promise<string> {
    const sessions = await open.accounts.sessions.list({ token: watching })
    return sessions.find(({ id }) => id === sessionOf(token))?.usedAt ?? ''
  }

  /** Until what this session did before is in its events, so that none of it counts afterwards. */
  async function quiet(token: string): Promise<void> {
    const { id } = await open.accounts.users.me({ token })
    await eventually(
      async () => {
        const events = await open.accounts.events.list({ token: watching, query: { limit: '20' } })
        return (
          events.some(({ user, input, serviceData }) => {
            const actor = serviceData['actor'] as { session?: string } | undefined
            return user === id && input['route'] === '/users/me' && actor?.session === sessionOf(token)
          }) || undefined
        )
      },
      'what was done before is known',
      20_000,
    )
  }
})

async function post(url: string, token: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
}

function sessionOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
}
