import { Activity } from '@trestle/contracts/activity'
import { eventRange, toRow } from './event.js'

const NOW = new Date('2026-11-21T12:00:00.000Z')

describe(toRow, () => {
  it('removes the prefix of the id and keeps everything else', () => {
    const row = toRow(activity(), NOW)
    expect(row).toMatchObject({
      id: '11111111-1111-4111-8111-111111111111',
      userId: activity().user,
      service: 'nodes',
      createdAt: new Date(activity().createdAt),
    })
    expect(JSON.parse(row.input)).toEqual({ method: 'GET' })
  })

  it.each([
    ['2019-01-01T00:00:00.000Z', '2026-08-23T12:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '2026-11-21T12:05:00.000Z'],
  ])('brings the time %s to where a partition is', (createdAt, kept) => {
    expect(toRow(activity({ createdAt }), NOW).createdAt.toISOString()).toBe(kept)
  })

  it('makes text storable that Postgres would refuse', () => {
    const { input } = toRow(activity({ input: { 'k\0': 'a\0b', half: '\ud800', path: '\\u0000' } }), NOW)
    expect(JSON.parse(input)).toEqual({ 'k\ufffd': 'a\ufffdb', half: '\ufffd', path: '\\u0000' })
  })
})

describe(eventRange, () => {
  it('is the last 24 hours', () => {
    expect(eventRange({}, NOW)).toEqual({ from: new Date('2026-11-20T12:00:00Z'), to: NOW })
  })

  it('is the 24 hours before its end when only that is given', () => {
    expect(eventRange({ to: '2026-10-02T00:00:00+02:00' }, NOW).from).toEqual(new Date('2026-09-30T22:00:00Z'))
  })

  it('reads a date as the whole day', () => {
    expect(eventRange({ from: '2026-11-20', to: '2026-11-20' }, NOW)).toEqual({
      from: new Date('2026-11-20T00:00:00Z'),
      to: new Date('2026-11-20T23:59:59.999Z'),
    })
  })

  it('refuses to start after its end', () => {
    const range = { from: '2026-11-20T00:00:00.001Z', to: '2026-11-20T00:00:00Z' }
    expect(() => eventRange(range, NOW)).toThrow(expect.objectContaining({ code: 'InvalidRange', status: 400 }))
  })
})

function activity(overrides: Partial<Activity> = {}): Activity {
  return Activity.parse({
    id: 'event-11111111-1111-4111-8111-111111111111',
    user: 'user-22222222-2222-4222-8222-222222222222',
    service: 'nodes',
    input: { method: 'GET' },
    output: { startTime: NOW.toISOString(), endTime: NOW.toISOString(), httpStatusCode: 200, bytesOut: 1 },
    serviceData: {},
    createdAt: '2026-11-21T11:59:59.999Z',
    ...overrides,
  })
}
