import { type DeviceLoginRecord, newDeviceLogin, parseUserCode, polled, readableUserCode } from './device-login.js'

const NOW = new Date('2026-11-23T12:00:00Z')
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const LOGIN = newDeviceLogin('BCDFGHJK', { ip: '192.0.2.1', userAgent: 'trestle' }, NOW)

describe(polled, () => {
  it('waits while nobody has decided', () => {
    const { next, problem } = polled(LOGIN, after(1))
    expect([problem?.code, next?.polledAt, next?.intervalSeconds]).toEqual(['AuthorizationPending', after(1), 5])
  })

  it('slows down who asks too often, by five seconds each time', () => {
    let login: DeviceLoginRecord | undefined = LOGIN
    const codes = [1, 6, 7, 17, 18].map((seconds) => {
      const { next, problem } = polled(login ?? LOGIN, after(seconds))
      login = next
      return [problem?.code, next?.intervalSeconds]
    })
    expect(codes).toEqual([
      ['AuthorizationPending', 5],
      ['AuthorizationPending', 5],
      ['SlowDown', 10],
      ['AuthorizationPending', 10],
      ['SlowDown', 15],
    ])
  })

  it('forgives half a second', () => {
    expect(polled({ ...LOGIN, polledAt: NOW }, after(4.6)).problem?.code).toBe('AuthorizationPending')
  })

  it('is used up by an approval, and stays refused', () => {
    expect(polled({ ...LOGIN, state: 'approved' }, after(1))).toEqual({})
    expect(polled({ ...LOGIN, state: 'refused' }, after(1)).problem?.code).toBe('AccessDenied')
  })

  it.each(['pending', 'approved', 'refused'] as const)('ends after 10 minutes when %s', (state) => {
    expect(polled({ ...LOGIN, state }, after(600))).toEqual({ problem: expect.objectContaining({ code: 'ExpiredDeviceCode' }) })
  })
})

describe(parseUserCode, () => {
  it.each(['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk '])('reads %j', (text) => {
    expect(parseUserCode(text)).toBe('BCDFGHJK')
  })

  it.each(['', 'BCDF', 'BCDFGHJKL', 'ABCDFGHJ', 'BCDF_GHJK', '12345678'])('refuses %j', (text) => {
    expect(parseUserCode(text)).toBeUndefined()
  })

  it('reads what is shown', () => {
    expect(parseUserCode(readableUserCode('BCDFGHJK'))).toBe('BCDFGHJK')
  })
})
