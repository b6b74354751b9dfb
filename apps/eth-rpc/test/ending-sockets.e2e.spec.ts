import { randomUUID } from 'node:crypto'
import { userDeleted, userDisabled, userEnabled } from '@trestle/contracts/accounts/messages'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { startFaultyStage } from './faulty-stage.js'
import { callRpc } from './json-rpc.js'
import { callManagement } from './management.js'
import { SocketCaller } from './socket-caller.js'

type Stage = Awaited<ReturnType<typeof startFaultyStage>>

const PROMPTLY_MS = 2_000
const ORIGIN = 'https://app.example'

let stage: Stage
beforeAll(async () => {
  stage = await startFaultyStage()
})
afterAll(() => stage.stop())

describe('an open WebSocket is closed with 1008 within two seconds', () => {
  it('of the expiry of its token', async () => {
    const { url, owner } = await ownedProject({ requireToken: true })
    const exp = Math.floor(Date.now() / 1000) + 2
    const socket = await open(url, { authorization: `Bearer ${owner.account({ exp })}` })
    expect(await socket.ask('eth_chainId')).toBe('0x7a69')
    const { at, reason } = await ending(socket)
    expect(reason).toBe('The access token expired.')
    expect(at).toBeGreaterThanOrEqual(exp * 1000)
    expect(at).toBeLessThan(exp * 1000 + PROMPTLY_MS)
  })

  it.each([
    ['signing out', 'session', 1],
    ['signing out everywhere', 'user', 4],
    ['the deletion of the client key', 'client', 6],
  ] as const)('of %s', async (_, kind, epoch) => {
    const { url, owner } = await ownedProject({ requireToken: true })
    const socket = await open(url, { authorization: `Bearer ${kind === 'client' ? owner.client() : owner.account()}` })
    stage.gateway.revoke({ kind, id: owner.ids[kind], epoch })
    expect(await promptEnding(socket)).toBe('The access token is not valid here.')
  })

  it.each([
    ['requires a token', { requireToken: true }, 'An access token is required: Authorization: Bearer <token>.'],
    ['allows other addresses only', { allowedIps: ['192.0.2.0/24'] }, 'Calls from this address are not allowed.'],
    ['allows other origins only', { allowedOrigins: ['https://other.example'] }, 'Calls from this origin are not allowed.'],
  ])('of a change after which its project %s', async (_, change, reason) => {
    const { url, manage } = await ownedProject({})
    const socket = await open(url, { origin: ORIGIN })
    const harmless = await open(url, { origin: ORIGIN })
    await manage('PATCH', '', { allowedOrigins: [ORIGIN] })
    expect(await harmless.ask('eth_chainId')).toBe('0x7a69')
    await manage('PATCH', '', change)
    expect(await promptEnding(socket)).toBe(reason)
    expect(await promptEnding(harmless)).toBe(reason)
  })

  it.each([
    ['deletion', 'DELETE', ''],
    ['rotation', 'POST', '/rotations'],
  ])('of the %s of its project', async (_, method, path) => {
    const { url, manage } = await ownedProject({})
    const socket = await open(url)
    await socket.subscribe('newHeads')
    await manage(method, path)
    expect(await promptEnding(socket)).toBe('the project is gone')
  })
})

it('a rotated project closes the WebSockets at its former id when the grace is over', async () => {
  const { url, manage } = await ownedProject({})
  const socket = await open(url)
  await manage('POST', '/rotations', { graceSeconds: 3 })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await socket.ask('eth_chainId')).toBe('0x7a69')
  expect((await ending(socket)).reason).toBe('the project is gone')
})

it('the records of calls name the session and the client key whose tokens they needed, over HTTP and for as long as a WebSocket is open', async () => {
  const { url, owner } = await ownedProject({ requireToken: true })
  const actorsOf = () =>
    stage.gateway.activities
      .filter(({ user, serviceData }) => user === owner.ids.user && 'calls' in serviceData)
      .map(({ serviceData }) => JSON.stringify(serviceData['actors']))
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  expect((await callJson(url, { method: 'POST', token: owner.client(), body: call })).status).toBe(200)
  const byKey = JSON.stringify([{ clientKey: owner.ids.client }])
  await eventually(() => actorsOf().includes(byKey) || undefined, 'the call over HTTP is recorded')

  const socket = await open(url, { authorization: `Bearer ${owner.account()}` })
  const bySession = JSON.stringify([{ session: owner.ids.session }])
  await eventually(async () => {
    await socket.ask('eth_chainId')
    return actorsOf().filter((actors) => actors === bySession).length >= 2 || undefined
  }, 'calls of more than one second are recorded')
  socket.socket.terminate()
})

it('a client that ignores the close is not served any more', async () => {
  const { url, manage } = await ownedProject({})
  const socket = await open(url)
  const pong = new Promise((resolve) => socket.socket.once('pong', resolve))
  await manage('DELETE', '')
  // Paused, it does not see the close and goes on.
  socket.socket.pause()
  await new Promise((resolve) => setTimeout(resolve, PROMPTLY_MS))
  let isAnswered = false
  void socket.ask('eth_chainId').then(() => {
    isAnswered = true
  })
  socket.socket.ping()
  socket.socket.resume()
  await Promise.race([pong, socket.closed])
  expect(await socket.closed).toBe(1008)
  expect(isAnswered).toBe(false)
})

interface Ownership {
  readonly exp?: number
}

/** A project of somebody who has an account, a session and a client key. */
async function ownedProject(settings: object) {
  const { issuer, service } = stage.gateway
  const ids = { user: `user-${randomUUID()}`, session: `session-${randomUUID()}`, client: `client-${randomUUID()}` }
  const owner = {
    ids,
    account: ({ exp }: Ownership = {}) => issuer.account({ payload: { sub: ids.user, sid: ids.session, ...(exp && { exp }) } }),
    client: () => issuer.client({ payload: { sub: ids.user, client_id: ids.client } }),
  }
  const url = await stage.gateway.project(settings, { owner: owner.account() })
  const id = url.split('/').at(-1)
  const token = issuer.account({ payload: { sub: ids.user } })
  const manage = async (method: string, path: string, body?: unknown) => {
    const { status } = await callManagement(service, method, `/projects/${id}${path}`, { token, body })
    expect(status).toBeLessThan(300)
  }
  return { url, owner, manage }
}

async function open(url: string, headers: Record<string, string> = {}): Promise<SocketCaller> {
  return SocketCaller.open(url, headers)
}

async function ending(socket: SocketCaller): Promise<{ at: number; reason: string }> {
  expect(await socket.closed).toBe(1008)
  return { at: Date.now(), reason: await socket.closeReason }
}

async function promptEnding(socket: SocketCaller): Promise<string> {
  const begun = Date.now()
  const { at, reason } = await ending(socket)
  expect(at - begun).toBeLessThan(PROMPTLY_MS)
  return reason
}

describe('a project whose owner is disabled', () => {
  it('refuses calls in every process and closes its WebSockets within two seconds, until the owner is enabled again', async () => {
    const { url, owner } = await ownedProject({})
    const others = (await ownedProject({})).url
    const replica = await stage.gateway.replica()
    const all = [url, `${replica.url}/v1/${url.split('/').at(-1)}`]
    for (const each of all) expect((await callRpc(each, 'eth_chainId')).status).toBe(200)
    const sockets = await Promise.all(all.map((each) => open(each)))
    await stage.gateway.publish(userDisabled, { userId: owner.ids.user, disabledAt: new Date().toISOString() })
    for (const socket of sockets) expect(await promptEnding(socket)).toBe('The account of the owner is disabled.')
    for (const each of all) {
      const refused = await callRpc(each, 'eth_chainId')
      expect(refused).toMatchObject({ status: 403, error: { code: -32016, message: 'The account of the owner is disabled.' } })
      await expect(open(each)).rejects.toThrow('403')
    }
    expect((await callRpc(others, 'eth_chainId')).status).toBe(200)
    // What happened before it counts no more.
    await stage.gateway.publish(userEnabled, { userId: owner.ids.user, enabledAt: new Date(Date.now() - 60_000).toISOString() })
    await stage.gateway.publish(userEnabled, { userId: owner.ids.user, enabledAt: new Date(Date.now() + 1).toISOString() })
    await eventually(
      async () =>
        (await Promise.all(all.map(async (each) => (await callRpc(each, 'eth_chainId')).status))).every((status) => status === 200) ||
        undefined,
      'it answers again',
      PROMPTLY_MS,
    )
    await replica.stop()
  })
})

describe('the projects of a deleted user', () => {
  it('are counted before, and removed with their WebSockets, whatever was announced before and however often', async () => {
    const { url, owner } = await ownedProject({})
    const other = await ownedProject({})
    const count = (id: string) => stage.gateway.countResources('eth', personalOrganizationOf(id))
    expect(await count(owner.ids.user)).toEqual([{ kind: 'project', state: 'active', count: 1, effect: 'deleted' }])
    const socket = await open(url)
    const deleted = { userId: owner.ids.user, deletedAt: new Date().toISOString() }
    await stage.gateway.publish(userDeleted, deleted)
    await stage.gateway.publish(userDeleted, deleted)
    await ending(socket)
    expect(await count(owner.ids.user)).toEqual([])
    expect(await count(other.owner.ids.user)).toHaveLength(1)
    expect((await callRpc(url, 'eth_chainId')).status).not.toBe(200)
    expect((await callRpc(other.url, 'eth_chainId')).status).toBe(200)
  })
})
