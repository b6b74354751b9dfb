import { exportedLine, lastLine } from './export-line.js'

const UUID = '00000000-0000-4000-8000-000000000001'

describe(exportedLine, () => {
  it('writes times as the other endpoints do, and leaves out what is null', () => {
    const row = { id: 'session-1', ip: '192.0.2.1', createdAt: new Date('2026-01-01T00:00:00Z'), endedAt: null }
    expect(exportedLine('session', row)).toBe(
      '{"kind":"session","data":{"id":"session-1","ip":"192.0.2.1","createdAt":"2026-01-01T00:00:00.000Z"}}\n',
    )
  })

  it('gives an activity its id and its user as the list of events does', () => {
    const user = `user-${UUID}`
    const time = '2026-01-01T00:00:00.000Z'
    const output = { startTime: time, endTime: time, httpStatusCode: 200, bytesOut: 1 }
    const row = { id: UUID, userId: user, service: 'nodes', input: {}, output, serviceData: {}, createdAt: new Date(time) }
    expect(JSON.parse(exportedLine('activity', row))).toEqual({
      kind: 'activity',
      data: { id: `event-${UUID}`, user, service: 'nodes', input: {}, output, serviceData: {}, createdAt: time },
    })
  })
})

describe(lastLine, () => {
  it('counts the lines before it', () => {
    expect(lastLine(3)).toBe('{"kind":"end","data":{"lines":3}}\n')
  })
})
