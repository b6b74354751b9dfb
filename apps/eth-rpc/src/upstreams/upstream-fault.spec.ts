import { faultOfStatus } from './upstream-fault.js'

const NOW = Date.parse('2026-01-01T00:00:00Z')

describe(faultOfStatus, () => {
  it.each([
    ['7', 7_000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
    ['0', 1_000],
    ['86400', 60_000],
    ['soon', 1_000],
    ['', 1_000],
  ])('has an upstream rest that says Retry-After: %s', (retryAfter, retryAfterMs) => {
    expect(faultOfStatus(429, new Map([['retry-after', retryAfter]]), NOW)).toMatchObject({ kind: 'limited', retryAfterMs })
  })

  it.each([301, 401, 403, 404, 413, 500, 502, 503, 504])('treats %i as no answer', (status) => {
    expect(faultOfStatus(status, new Map(), NOW)).toMatchObject({ kind: 'status', message: `answers with HTTP status ${status}` })
  })

  it.each([400, 500])('treats JSON with %i as an answer', (status) => {
    expect(faultOfStatus(status, new Map([['content-type', 'application/json']]), NOW)).toBeUndefined()
  })
})
