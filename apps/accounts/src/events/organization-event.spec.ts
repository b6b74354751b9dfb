import type { Activity } from '@trestle/contracts/activity'
import { namedIn, organizationEvent } from './organization-event.js'

const TIME = '2026-11-21T12:00:00.000Z'
const ADA = { id: 'user-1', displayName: 'Ada', email: 'ada@example.org', serviceAccount: false, isMember: true }

describe(organizationEvent, () => {
  it('names the member, without what is nobody else’s business', () => {
    expect(described({ actor: { session: 'session-1', address: '192.0.2.1' }, code: 'UnknownNode' })).toMatchObject({
      serviceData: { actor: {}, code: 'UnknownNode' },
      by: { displayName: 'Ada', email: 'ada@example.org' },
    })
    expect(JSON.stringify(described({ actor: { session: 'session-1', address: '192.0.2.1' } }))).not.toMatch(/session-1|192\.0\.2\.1/)
  })

  it('names the client key and from where it was used', () => {
    const actor = { clientKey: 'client-1', address: '192.0.2.1' }
    expect(described({ actor })).toMatchObject({ serviceData: { actor }, by: { displayName: 'Ada', clientKey: 'ci' } })
  })

  it('names who has left, and tells service accounts apart', () => {
    const actor = { clientKey: 'client-2' }
    expect(described({ actor }, { ...ADA, isMember: false }).by).toEqual({ displayName: 'Ada', email: 'ada@example.org', former: true })
    expect(described({ actor }, { ...ADA, email: '', serviceAccount: true }).by).toEqual({ displayName: 'Ada', serviceAccount: true })
  })

  it('names nobody whose account is deleted', () => {
    expect(described({ actor: {} }, null).by).toEqual({ former: true })
  })

  it('attributes sums of calls to the keys that made them, and to nobody else', () => {
    const sums = described({ calls: 2, actors: [{ session: 'session-1' }, { clientKey: 'client-1' }] })
    expect(sums.serviceData).toEqual({ calls: 2, actors: [{ clientKey: 'client-1' }] })
    expect(sums).not.toHaveProperty('by')
    expect(described({ calls: 2, actors: [{ session: 'session-1' }] }).serviceData).toEqual({ calls: 2 })
  })
})

describe(namedIn, () => {
  it('has each user and key of requests once, and nobody of sums of calls', () => {
    const events = [activity({ actor: {} }), activity({ actor: { clientKey: 'client-1' } }), { ...activity({ calls: 2 }), user: 'user-2' }]
    expect(namedIn([...events, ...events])).toEqual({ userIds: ['user-1'], clientIds: ['client-1'] })
  })
})

function described(serviceData: Record<string, unknown>, author: typeof ADA | null = ADA) {
  return organizationEvent(activity(serviceData), {
    authors: new Map(author ? [[author.id, author]] : []),
    clientKeys: new Map([['client-1', 'ci']]),
  })
}

function activity(serviceData: Record<string, unknown>): Activity {
  return {
    id: 'event-1',
    user: 'user-1',
    service: 'nodes',
    input: { method: 'POST' },
    output: { startTime: TIME, endTime: TIME, httpStatusCode: 200, bytesOut: 2 },
    serviceData,
    createdAt: TIME,
  }
}
