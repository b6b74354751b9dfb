import { type EndpointSpec, endpoint } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import fc from 'fast-check'
import { backOffMs, isRepeatable, retryAfterMs } from './retry.js'

const NOW = Date.UTC(2026, 10, 22, 5, 0, 0)

describe(backOffMs, () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

  it('is at least nothing and less than twice as much each time, up to 5 seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), random, (tries, share) => {
        const waitMs = backOffMs(tries, () => share)
        expect(Number.isInteger(waitMs)).toBe(true)
        expect(waitMs).toBeGreaterThanOrEqual(0)
        expect(waitMs).toBeLessThan(Math.min(5_000, 200 * 2 ** (tries - 1)))
      }),
    )
  })

  it('is never longer for a smaller share, nor for fewer tries', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), random, random, (tries, some, other) => {
        const [less, more] = [Math.min(some, other), Math.max(some, other)]
        expect(backOffMs(tries, () => less)).toBeLessThanOrEqual(backOffMs(tries, () => more))
        expect(backOffMs(tries, () => less)).toBeLessThanOrEqual(backOffMs(tries + 1, () => less))
      }),
    )
  })
})

describe(retryAfterMs, () => {
  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Sun, 22 Nov 2026 05:00:09 GMT' }, 9_000],
    [{ 'retry-after': 'Sun, 22 Nov 2026 04:00:00 GMT' }, 0],
    [{ 'retry-after': 'Sun, 22 Nov 2026 07:00:03 GMT', date: 'Sun, 22 Nov 2026 07:00:00 GMT' }, 3_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1s' }, undefined],
    [{}, undefined],
  ])('reads %j as %s ms', (headers: Record<string, string>, expected) => {
    expect(retryAfterMs({ status: 503, headers: new Headers(headers), text: '' }, NOW)).toBe(expected)
    expect(retryAfterMs(new Problem('unavailable', 'Busy', 'Wait.', { headers }), NOW)).toBe(expected)
  })
})

describe(isRepeatable, () => {
  const spec = (rest: Partial<EndpointSpec>): EndpointSpec =>
    endpoint({ method: 'POST', path: '/x', summary: '', access: 'public', status: 200, ...rest })

  it.each([
    ['a GET', spec({ method: 'GET' }), {}, true],
    ['a PUT', spec({ method: 'PUT' }), {}, true],
    ['a DELETE', spec({ method: 'DELETE' }), {}, true],
    ['a PATCH', spec({ method: 'PATCH' }), {}, false],
    ['a POST', spec({}), {}, false],
    ['a POST with a key', spec({}), { 'idempotency-key': 'k' }, true],
    ['a POST that changes nothing', spec({ recording: 'batched' }), {}, true],
  ])('says of %s what it is', (_, endpoint, headers, expected) => {
    expect(isRepeatable(endpoint, headers)).toBe(expected)
  })
})
