import { afterFailure, MailRefused } from './mail.js'

const CREATED = new Date('2026-01-01T00:00:00Z')
const minutes = (count: number) => new Date(CREATED.getTime() + count * 60_000)

describe(afterFailure, () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [6, 32],
    [7, 60],
    [20, 60],
  ])('after attempt %i tries again %i minutes later', (attempts, delay) => {
    expect(afterFailure({ attempts, createdAt: CREATED }, new Error('451 busy'), CREATED)).toEqual({
      state: 'queued',
      lastError: '451 busy',
      nextAttemptAt: minutes(delay),
    })
  })

  it('gives up once the next attempt would be a day after the first', () => {
    const failAt = (minute: number) => afterFailure({ attempts: 30, createdAt: CREATED }, new Error('timeout'), minutes(minute)).state
    expect(failAt(24 * 60 - 61)).toBe('queued')
    expect(failAt(24 * 60 - 60)).toBe('failed')
  })

  it('gives up at once when the mail is refused permanently', () => {
    expect(afterFailure({ attempts: 1, createdAt: CREATED }, new MailRefused('550 no such user'), CREATED)).toEqual({
      state: 'failed',
      lastError: '550 no such user',
    })
  })

  it('keeps the first 300 characters of the reason', () => {
    expect(afterFailure({ attempts: 1, createdAt: CREATED }, new Error('x'.repeat(10_000)), CREATED)).toMatchObject({
      lastError: 'x'.repeat(300),
    })
  })
})
