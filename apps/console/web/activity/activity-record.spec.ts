import type { Activity } from '@trestle/contracts/activity'
import fc from 'fast-check'
import { activityOutcome, authorText, filterRecords, mergeRecords, NO_FILTER, recordedMs, toCsv } from './activity-record.js'

describe(filterRecords, () => {
  const create = record({ input: { method: 'POST', route: '/users/me/client-keys' } })
  const refused = record({ service: 'nodes', input: { method: 'DELETE', route: '/nodes/:id' }, status: 404 })
  const listed = record({ input: { method: 'GET', route: '/users/me/events' } })
  const all = [create, refused, listed]

  it('leaves out reads of the list itself unless they are included', () => {
    expect(filterRecords(all, NO_FILTER)).toEqual([create, refused])
    expect(filterRecords(all, { ...NO_FILTER, own: true })).toEqual(all)
  })

  it('chooses by service, kind and outcome', () => {
    expect(filterRecords(all, { ...NO_FILTER, area: 'nodes' })).toEqual([refused])
    expect(filterRecords(all, { ...NO_FILTER, own: true, kind: 'reads' })).toEqual([listed])
    expect(filterRecords(all, { ...NO_FILTER, kind: 'changes', status: 'good' })).toEqual([create])
    expect(filterRecords(all, { ...NO_FILTER, status: 'refused' })).toEqual([refused])
  })

  it('finds every word of the search, in upper or lower case', () => {
    expect(filterRecords(all, { ...NO_FILTER, what: ' post KEYS ' })).toEqual([create])
    expect(filterRecords(all, { ...NO_FILTER, what: 'post nodes' })).toEqual([])
  })
})

describe(mergeRecords, () => {
  it('has each record once, the newest first', () => {
    const times = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 5 })))
    const records = times.map((pairs) =>
      pairs.map(([id, second]) => record({ id: `event-${id}`, createdAt: `2026-01-01T00:00:0${second}.000Z` })),
    )
    fc.assert(
      fc.property(records, records, (newer, older) => {
        const result = mergeRecords(newer, older)
        expect(new Set(result.map(({ id }) => id))).toEqual(new Set([...newer, ...older].map(({ id }) => id)))
        expect(result.map(({ createdAt }) => createdAt)).toEqual(
          result
            .map(({ createdAt }) => createdAt)
            .sort()
            .reverse(),
        )
        expect(result).toHaveLength(new Set(result.map(({ id }) => id)).size)
      }),
    )
  })
})

describe(activityOutcome, () => {
  it.each([
    [200, 'good'],
    [302, 'good'],
    [404, 'refused'],
    [503, 'failed'],
  ] as const)('says of %i that it is %s', (status, outcome) => {
    expect(activityOutcome(record({ status }))).toBe(outcome)
  })
})

describe(toCsv, () => {
  it('has a line for each record below its header', () => {
    const one = record({ id: 'event-1', input: { method: 'GET', route: '/a' } })
    expect(recordedMs(one)).toBe(20)
    expect(toCsv([one])).toBe(
      'time,service,method,route,status,milliseconds,bytes,id\r\n2026-01-01T00:00:00.020Z,accounts,GET,/a,200,20,5,event-1\r\n',
    )
  })
})

describe(authorText, () => {
  it('tells people of the same name apart, and names the key', () => {
    const by = { displayName: 'Ada', email: 'ada@example.org', clientKey: 'ci', former: true } as const
    expect(authorText({ ...record(), by })).toBe('Ada, ada@example.org, key ci, left')
    expect(authorText({ ...record(), by: { former: true } })).toBe('Deleted account')
    expect(authorText(record())).toBe('')
  })

  it('is found by the search, and in the file', () => {
    const [ada, bob] = ['Ada', 'Bob'].map((displayName) => ({ ...record({ id: `event-${displayName}` }), by: { displayName } }))
    if (!ada || !bob) throw new Error('There are two.')
    expect(filterRecords([ada, bob], { ...NO_FILTER, what: 'bob' })).toEqual([bob])
    expect(
      toCsv([ada])
        .split('\r\n')
        .map((line) => line.split(',')[0]),
    ).toEqual(['who', 'Ada', ''])
  })

  it('leaves out reads of the list of the organization, too', () => {
    expect(filterRecords([record({ input: { method: 'GET', route: '/organizations/{id}/events' } })], NO_FILTER)).toEqual([])
  })
})

function record({ status = 200, ...given }: Partial<Activity> & { status?: number } = {}): Activity {
  return {
    id: 'event-0',
    user: 'user-1',
    service: 'accounts',
    input: { method: 'GET', route: '/users/me' },
    output: { startTime: '2026-01-01T00:00:00.000Z', endTime: '2026-01-01T00:00:00.020Z', httpStatusCode: status, bytesOut: 5 },
    serviceData: {},
    createdAt: '2026-01-01T00:00:00.020Z',
    ...given,
  }
}
