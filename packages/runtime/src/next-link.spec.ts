import { nextLink } from './next-link.js'

describe(nextLink, () => {
  it('keeps the requested path under any base path', () => {
    expect(
      nextLink('/accounts/users/me/events?limit=2&from=x', { limit: 2, from: '2026-01-01T00:00:00.000Z', cursor: 'abc', to: undefined }),
    ).toEqual({
      link: '</accounts/users/me/events?limit=2&from=2026-01-01T00%3A00%3A00.000Z&cursor=abc>; rel="next"',
    })
  })
})
