import { lastUses } from './session-use.js'

const NOW = new Date('2026-06-01T12:00:00.000Z')
const use = (session: string, createdAt: string) => ({ serviceData: { actor: { session } }, createdAt })

describe(lastUses, () => {
  it('names the last use of each session', () => {
    const activities = [use('a', '2026-06-01T11:58:00Z'), use('b', '2026-06-01T11:00:00Z'), use('a', '2026-06-01T11:57:00Z')]
    expect(lastUses(activities, NOW)).toEqual([
      { id: 'a', at: new Date('2026-06-01T11:58:00Z') },
      { id: 'b', at: new Date('2026-06-01T11:00:00Z') },
    ])
  })

  it('takes those whose tokens were presented for JSON-RPC calls, one record for many', () => {
    const serviceData = { calls: 3, actors: [{ session: 'a' }, { clientKey: 'client-1' }, { session: 'b' }, null, { session: 1 }] }
    expect(lastUses([{ serviceData, createdAt: NOW.toISOString() }], NOW)).toEqual([
      { id: 'a', at: NOW },
      { id: 'b', at: NOW },
    ])
  })

  it('takes none for later than now', () => {
    expect(lastUses([use('a', '2027-01-01T00:00:00Z')], NOW)).toEqual([{ id: 'a', at: NOW }])
  })

  it.each([
    {},
    { actor: null },
    { actor: { clientKey: 'client-1' } },
    { actor: { session: 1 } },
    { actors: 'session' },
    { actors: { session: 'a' } },
  ])('ignores %j, which names no session', (serviceData) => {
    expect(lastUses([{ serviceData, createdAt: NOW.toISOString() }], NOW)).toEqual([])
  })
})
