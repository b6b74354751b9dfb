import { redacted } from './activity.js'

describe(redacted, () => {
  it.each(['token', 'refresh_token', 'password', 'clientSecret', 'signature', 'rawtx', 'Authorization', 'code'])('hides %s', (name) => {
    expect(redacted({ [name]: 'x' })).toEqual({ [name]: '[redacted]' })
  })

  it('keeps the end of a project id only', () => {
    expect(redacted({ projectId: '0123456789abcdef0123456789abcdef' })).toEqual({ projectId: '...cdef' })
  })

  it('keeps harmless values, as text', () => {
    expect(redacted({ id: 'a', limit: '5', addr: ['1', '2'] })).toEqual({ id: 'a', limit: '5', addr: ['1', '2'] })
  })

  it('shortens long values, never within a character', () => {
    const { addrs } = redacted({ addrs: `${'x'.repeat(255)}😀😀` })
    expect(addrs).toHaveLength(259)
    expect((addrs as string).isWellFormed()).toBe(true)
  })

  it('returns nothing without parameters', () => {
    expect(redacted(undefined)).toEqual({})
    expect(redacted(null)).toEqual({})
  })
})
