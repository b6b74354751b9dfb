import { jest } from '@jest/globals'
import type { listRevocations, Revocation } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import type { EventSubscriptions } from '@trestle/messaging/event-subscriptions'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import fc from 'fast-check'
import { AuthDataAge } from './auth-data-age.js'
import { accountClaims, clientClaims } from './claims.js'
import { RevocationSource, Revocations } from './revocations.js'

const USER = 'user-00000000-0000-4000-8000-000000000001'
const SESSION = 'session-00000000-0000-4000-8000-000000000002'
const CLIENT = 'client-00000000-0000-4000-8000-000000000003'
const HOUR = 3_600_000

afterEach(() => {
  jest.useRealTimers()
})

describe(Revocations, () => {
  // CVE-2026-8922 and CVE-2026-18218: elsewhere two levels were combined so that a token dead at one of them lived on.
  const epochs = [undefined, 4, 5, 6]
  const levels = epochs.flatMap((user) => epochs.map((own) => ({ user, own })))

  it.each(levels)(
    'counts a client token of epochs 5 and 5 as dead when either is below: user $user, client key $own',
    async ({ user, own }) => {
      const revocations = await loaded(...told('user', USER, user), ...told('client', CLIENT, own))
      expect(revocations.isRevoked(client({ ep: 5, kep: 5 }))).toBe(user === 6 || own === 6)
    },
  )

  it.each(epochs.flatMap((user) => [undefined, 1].map((own) => ({ user, own }))))(
    'counts an account token of epoch 5 as dead when the user is above or the session ended: user $user, session $own',
    async ({ user, own }) => {
      const revocations = await loaded(...told('user', USER, user), ...told('session', SESSION, own))
      expect(revocations.isRevoked(account({ ep: 5 }))).toBe(user === 6 || own === 1)
    },
  )

  it('does not affect other tokens', async () => {
    const other = 'user-00000000-0000-4000-8000-000000000009'
    const revocations = await loaded(
      { kind: 'user', id: other, epoch: 9 },
      { kind: 'session', id: CLIENT, epoch: 9 },
      { kind: 'client', id: USER, epoch: 9 },
    )
    expect(revocations.isRevoked(account({ ep: 5 }))).toBe(false)
    expect(revocations.isRevoked(client({ ep: 5, kep: 5 }))).toBe(false)
  })

  it('does not affect a token that was signed with the new epoch', async () => {
    const revocations = await loaded({ kind: 'user', id: USER, epoch: 6 })
    expect([5, 6, 7].map((ep) => revocations.isRevoked(account({ ep })))).toEqual([true, false, false])
  })

  it('keeps the highest epoch of every level, in whatever order and however often revocations arrive', async () => {
    const revocation = fc.oneof(
      fc.record({ kind: fc.constant('user' as const), id: fc.constant(USER), epoch: fc.nat(9) }),
      fc.record({ kind: fc.constant('client' as const), id: fc.constant(CLIENT), epoch: fc.nat(9) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(revocation, { maxLength: 20 }), fc.nat(9), fc.nat(9), async (list, ep, kep) => {
        const highest = (kind: string) => Math.max(-1, ...list.filter((entry) => entry.kind === kind).map(({ epoch }) => epoch))
        const revocations = await loaded(...list)
        expect(revocations.isRevoked(client({ ep, kep }))).toBe(ep < highest('user') || kep < highest('client'))
      }),
    )
  })

  it('throws 503 before the first load, and is not ready', async () => {
    const { revocations, readiness, source } = setup()
    expect(() => revocations.isRevoked(account({ ep: 5 }))).toThrow(expect.objectContaining({ code: 'RevocationsUnknown', status: 503 }))
    revocations.record({ kind: 'user', id: USER, epoch: 1 })
    source.failure = new Error('away')
    await revocations.poll()
    expect(await readiness.report()).toMatchObject({
      ready: false,
      checks: { revocations: 'failed' },
      reasons: { revocations: 'the revocations were never read' },
    })
    source.failure = undefined
    await revocations.poll()
    expect(revocations.isRevoked(account({ ep: 5 }))).toBe(false)
    expect(await readiness.report()).toEqual({ ready: true, checks: { revocations: 'ok' } })
  })

  it('reads every page, and then only what is new, with an overlap of a minute', async () => {
    const { revocations, source } = setup()
    source.pages = [
      { asOf: '2026-11-21T12:00:00.000Z', revocations: [{ kind: 'user', id: 'a', epoch: 1 }], next: 'cursor-1' },
      { asOf: '2026-11-21T12:00:01.000Z', revocations: [{ kind: 'user', id: 'b', epoch: 1 }], next: 'cursor-2' },
      { asOf: '2026-11-21T12:00:02.000Z', revocations: [{ kind: 'user', id: USER, epoch: 6 }] },
    ]
    await revocations.poll()
    await revocations.poll()
    const since = '2026-11-21T11:59:00.000Z'
    expect(source.requests).toEqual([{}, { after: 'cursor-1' }, { after: 'cursor-2' }, { since }])
    expect(revocations.isRevoked(account({ ep: 5 }))).toBe(true)
  })

  it('requests the same period again after a page that failed', async () => {
    const { revocations, source } = setup()
    source.pages = [{ asOf: '2026-11-21T12:00:00.000Z', revocations: [] }]
    await revocations.poll()
    source.pages = [{ asOf: '2026-11-21T12:00:15.000Z', revocations: [], next: 'cursor-1' }, new Error('away')]
    await revocations.poll()
    await revocations.poll()
    const since = '2026-11-21T11:59:00.000Z'
    expect(source.requests).toEqual([{}, { since }, { since, after: 'cursor-1' }, { since }])
  })

  it('polls every second until the first load, and every 15 seconds after it', async () => {
    jest.useFakeTimers()
    const { revocations, source } = setup()
    source.failure = new Error('away')
    revocations.onApplicationBootstrap()
    await jest.advanceTimersByTimeAsync(2_500)
    expect(source.requests).toHaveLength(3)
    source.failure = undefined
    await jest.advanceTimersByTimeAsync(500 + 30_000)
    expect(source.requests).toHaveLength(6)
    revocations.onModuleDestroy()
    await jest.advanceTimersByTimeAsync(60_000)
    expect(source.requests).toHaveLength(6)
  })

  it('polls again 1, 2, 4, 8 and then 15 seconds after a failure', async () => {
    jest.useFakeTimers()
    const { revocations, source } = setup()
    revocations.onApplicationBootstrap()
    await jest.advanceTimersByTimeAsync(0)
    source.failure = new Error('away')
    await jest.advanceTimersByTimeAsync(15_000)
    const polls = async (seconds: number) => {
      const before = source.requests.length
      await jest.advanceTimersByTimeAsync(seconds * 1_000)
      return source.requests.length - before
    }
    expect([await polls(1), await polls(2), await polls(4), await polls(8), await polls(15), await polls(15)]).toEqual([1, 1, 1, 1, 1, 1])
    source.failure = undefined
    expect([await polls(15), await polls(14), await polls(1)]).toEqual([1, 0, 1])
    revocations.onModuleDestroy()
  })

  it('polls at once when NATS is connected', async () => {
    jest.useFakeTimers()
    const { revocations, source, connect } = setup()
    revocations.onApplicationBootstrap()
    await jest.advanceTimersByTimeAsync(5_000)
    source.pages = [{ asOf: '2026-11-21T12:00:00.000Z', revocations: [{ kind: 'user', id: USER, epoch: 6 }] }]
    expect(revocations.isRevoked(account({ ep: 5 }))).toBe(false)
    connect()
    await jest.advanceTimersByTimeAsync(0)
    expect(revocations.isRevoked(account({ ep: 5 }))).toBe(true)
    revocations.onModuleDestroy()
    connect()
    await jest.advanceTimersByTimeAsync(0)
    expect(source.requests).toHaveLength(2)
  })

  it('reads compromised keys with every poll, and reports each once', async () => {
    const { revocations, source } = setup()
    let changes = 0
    revocations.changes.subscribe(() => changes++)
    source.pages = ['a', 'b'].map((kid) => ({ asOf: '2026-11-21T12:00:00.000Z', revocations: [], compromisedKeys: ['a', kid] }))
    await revocations.poll()
    expect([revocations.isCompromised('a'), revocations.isCompromised('b'), changes]).toEqual([true, false, 1])
    await revocations.poll()
    await revocations.poll()
    expect([revocations.isCompromised('a'), revocations.isCompromised('b'), changes]).toEqual([true, true, 2])
  })

  it('reports what it records, but nothing that changes nothing', () => {
    const { revocations } = setup()
    let changes = 0
    revocations.changes.subscribe(() => changes++)
    for (const epoch of [6, 6, 5, 7]) revocations.record({ kind: 'user', id: USER, epoch })
    expect(changes).toBe(2)
  })

  it('exposes the age of the data as a metric', async () => {
    jest.useFakeTimers()
    const { revocations, source, metrics } = setup()
    await revocations.poll()
    source.failure = new Error('away')
    await jest.advanceTimersByTimeAsync(60_000)
    await revocations.poll()
    expect(await metrics.registry.metrics()).toContain('auth_age_seconds{of="revocations"} 60')
  })

  it('keeps a revocation until the last token it could affect has expired, and no longer', async () => {
    jest.useFakeTimers()
    const { revocations } = setup()
    revocations.record({ kind: 'user', id: USER, epoch: 6 })
    await jest.advanceTimersByTimeAsync(12 * HOUR)
    await revocations.poll()
    expect(revocations.isRevoked(account({ ep: 5 }))).toBe(true)
    await jest.advanceTimersByTimeAsync(301_000)
    await revocations.poll()
    expect(revocations.isRevoked(account({ ep: 5 }))).toBe(false)
  })

  it('counts from the last rise of the epoch', async () => {
    jest.useFakeTimers()
    const { revocations } = setup()
    revocations.record({ kind: 'user', id: USER, epoch: 6 })
    revocations.record({ kind: 'client', id: CLIENT, epoch: 6 })
    await jest.advanceTimersByTimeAsync(6 * HOUR)
    revocations.record({ kind: 'user', id: USER, epoch: 7 })
    revocations.record({ kind: 'client', id: CLIENT, epoch: 6 })
    await jest.advanceTimersByTimeAsync(7 * HOUR)
    await revocations.poll()
    expect(revocations.isRevoked(account({ ep: 6 }))).toBe(true)
    expect(revocations.isRevoked(client({ ep: 7, kep: 5 }))).toBe(false)
  })

  it('does not drop a revocation early when the clock is set', async () => {
    jest.useFakeTimers()
    const { revocations } = setup()
    revocations.record({ kind: 'user', id: USER, epoch: 6 })
    jest.setSystemTime(Date.now() + 365 * 24 * HOUR)
    await revocations.poll()
    expect(revocations.isRevoked(account({ ep: 5 }))).toBe(true)
  })
})

class TestRevocationSource extends RevocationSource {
  /** Answered in turn; nothing new once they are used up. */
  pages: (ReplyOf<typeof listRevocations> | Error)[] = []
  failure: Error | undefined
  readonly requests: RequestOf<typeof listRevocations>[] = []

  async list(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>> {
    this.requests.push(request)
    const page = this.failure ?? this.pages.shift() ?? { asOf: '2026-11-21T12:00:00.000Z', revocations: [] }
    if (page instanceof Error) throw page
    return page
  }
}

function setup() {
  const source = new TestRevocationSource()
  const readiness = new Readiness()
  const metrics = new Metrics()
  const connected: (() => void)[] = []
  const events = {
    subscribe: () => undefined,
    onConnected: (listener: () => void) => connected.push(listener),
  } as unknown as EventSubscriptions
  const revocations = new Revocations(source, events, createLogger('test', 'silent'), new AuthDataAge(readiness, metrics))
  const connect = () => {
    for (const listener of connected) listener()
  }
  return { source, readiness, metrics, revocations, connect }
}

async function loaded(...list: Revocation[]): Promise<Revocations> {
  const { revocations } = setup()
  await revocations.poll()
  for (const revocation of list) revocations.record(revocation)
  return revocations
}

function told(kind: Revocation['kind'], id: string, epoch: number | undefined): Revocation[] {
  return epoch === undefined ? [] : [{ kind, id, epoch }]
}

function account({ ep }: { ep: number }) {
  const grant = { issuer: 'https://trestle.test', userId: USER, sessionId: SESSION, administrator: false, jti: 'token-1' }
  return accountClaims({ ...grant, epoch: ep }, new Date())
}

function client({ ep, kep }: { ep: number; kep: number }) {
  const grant = { issuer: 'https://trestle.test', userId: USER, clientId: CLIENT, scopes: ['nodes' as const], jti: 'token-1' }
  return clientClaims({ ...grant, epoch: ep, keyEpoch: kep }, new Date())
}
