import { EVENT_TABLE, expiredPartitions, requiredPartitions, securityEventTable } from './partition.js'

const NOW = new Date('2026-11-21T12:00:00.000Z')

describe(requiredPartitions, () => {
  it('covers every possible time of an event without a gap, and two months more', () => {
    const partitions = requiredPartitions(EVENT_TABLE, NOW)
    expect(partitions.map(({ name }) => name)).toEqual([
      'event_2026_08',
      'event_2026_09',
      'event_2026_10',
      'event_2026_11',
      'event_2026_12',
      'event_2027_01',
    ])
    for (const [index, { from }] of partitions.entries()) if (index > 0) expect(from).toEqual(partitions[index - 1]?.to)
  })
})

describe(expiredPartitions, () => {
  it('expires a month once its last event is 90 days old, and never one that is required', () => {
    const names = ['event_2026_07', 'event_2026_08', 'event_2026_11', 'event_default', 'security_event_2026_07', 'event_2026_13']
    expect(expiredPartitions(EVENT_TABLE, names, NOW).map(({ name }) => name)).toEqual(['event_2026_07'])
    expect(expiredPartitions(EVENT_TABLE, names, new Date('2026-11-30T00:00:00Z')).map(({ name }) => name)).toEqual([
      'event_2026_07',
      'event_2026_08',
    ])
    expect(expiredPartitions(EVENT_TABLE, names, new Date('2026-11-29T23:59:59Z')).map(({ name }) => name)).toEqual(['event_2026_07'])
  })
})

describe(securityEventTable, () => {
  it('keeps its rows as many days as configured', () => {
    const names = requiredPartitions(securityEventTable({ SECURITY_LOG_DAYS: 365 }), NOW).map(({ name }) => name)
    expect([names.length, names[0], names.at(-1)]).toEqual([15, 'security_event_2025_11', 'security_event_2027_01'])
    const week = securityEventTable({ SECURITY_LOG_DAYS: 7 })
    expect(expiredPartitions(week, [...names, 'event_2025_11'], NOW)).toHaveLength(12)
  })
})
