import fc from 'fast-check'
import { encodePosition, startPosition } from './revocation.js'

describe(startPosition, () => {
  it('starts a minute before the known time, because commits are not in the order of their times', () => {
    expect(startPosition({ since: '2026-11-21T12:00:00.000Z' })).toEqual({
      recordedAt: new Date('2026-11-21T11:59:00.000Z'),
      kind: '',
      id: '',
    })
  })

  it('starts with the first one for a caller that has none', () => {
    expect(startPosition({})).toEqual({ recordedAt: new Date(0), kind: '', id: '' })
  })

  it('continues where a page ended', () => {
    const position = fc.record({
      recordedAt: fc.integer({ min: 0, max: 9_999_999_999_999 }).map((ms) => new Date(ms)),
      kind: fc.constantFrom('user', 'client', 'session'),
      id: fc.uuid().map((uuid) => `user-${uuid}`),
    })
    fc.assert(
      fc.property(position, (each) =>
        expect(startPosition({ since: '2026-11-21T12:00:00.000Z', after: encodePosition(each) })).toEqual(each),
      ),
    )
  })

  it.each(['', 'x', '1.user', '1.user.a b', `${'9'.repeat(20)}.user.a`, '01.user.a'])('refuses %j', (after) => {
    expect(() => startPosition({ after })).toThrow(expect.objectContaining({ code: 'InvalidCursor' }))
  })
})
