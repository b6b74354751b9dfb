import fc from 'fast-check'
import { admit, type IncomingHead } from './admission.js'

describe(admit, () => {
  it.each([
    ['/accounts', 'accounts'],
    ['/accounts/users/me?next=/staking/../..', 'accounts'],
    ['/staking/validators', 'staking'],
    ['/etc/v1/project', 'etc'],
    ['/.well-known/oauth-authorization-server/accounts', 'accounts'],
    ['/accountsuffix', 'console'],
    ['/%61ccounts', 'console'],
    ['//accounts', 'console'],
  ])('routes %s to %s', (url, name) => {
    expect(admit(arrival({ url }))?.name).toBe(name)
  })

  it.each([
    '/accounts/../staking',
    '/accounts/..',
    '/accounts/./users',
    '/accounts/%2e%2E/staking',
    '/accounts/.%2e/staking',
    '/accounts/..%2fstaking',
    '/accounts%2f..%2fstaking',
    '/accounts/..\\staking',
    '/accounts/%2e%2e%5cstaking',
    '/..',
  ])('refuses the dot segments of %s', (url) => {
    expect(() => admit(arrival({ url }))).toThrow(expect.objectContaining({ code: 'InvalidPath' }))
  })

  it('never routes a path to a service that a normalized path would not lead to', () => {
    const piece = fc.constantFrom('accounts', 'staking', '..', '.', '%2e', '%2E%2e', '/', '%2f', '%2F', '\\', '%5c', 'x', '#')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const url = `/accounts/${pieces.join('')}`
        const tidied = new URL(url.replace(/%2f|%5c/gi, '/'), 'http://door').pathname
        try {
          expect(admit(arrival({ url }))?.name).toBe('accounts')
        } catch (error) {
          if ((error as { code?: string }).code === 'InvalidPath') return
          throw error
        }
        expect(`${tidied}/`).toMatch(/^\/accounts\//)
      }),
    )
  })

  it.each(['http://other/accounts', '*', 'accounts'])('refuses the target %s', (url) => {
    expect(() => admit(arrival({ url }))).toThrow(expect.objectContaining({ code: 'InvalidTarget' }))
  })

  it.each([
    ['no Host', []],
    ['two Hosts', ['Host', 'a', 'hOST', 'b']],
  ])('refuses a request with %s', (_, rawHeaders) => {
    expect(() => admit(arrival({ rawHeaders }))).toThrow(expect.objectContaining({ code: 'InvalidHost' }))
  })

  it('lets HTTP/1.0 do without a Host', () => {
    expect(admit(arrival({ rawHeaders: [], httpVersion: '1.0' }))?.name).toBe('accounts')
  })

  it.each(['door', 'door:8080', '[::1]:8080', 'xn--bcher-kva.example', 'a_b.example', ''])('accepts the Host "%s"', (host) => {
    expect(admit(arrival({ headers: { host } }))?.name).toBe('accounts')
  })

  it.each(['a/b', 'user@door', 'a b', 'door#', 'a\\b', 'd\u00f6r', '"door"', '<door>'])('refuses the Host "%s"', (host) => {
    expect(() => admit(arrival({ headers: { host } }))).toThrow(expect.objectContaining({ code: 'InvalidHost' }))
  })

  it.each(['0.9', '2.0', '1.2'])('refuses HTTP/%s', (httpVersion) => {
    expect(() => admit(arrival({ httpVersion }))).toThrow(expect.objectContaining({ code: 'InvalidVersion' }))
  })

  it('refuses a transfer coding that it would lose', () => {
    expect(() => admit(arrival({ headers: { 'transfer-encoding': 'gzip, chunked' } }))).toThrow(
      expect.objectContaining({ code: 'InvalidFraming' }),
    )
  })

  it('refuses chunks in HTTP/1.0, which has none', () => {
    const headers = { 'transfer-encoding': 'Chunked' }
    expect(admit(arrival({ headers }))?.name).toBe('accounts')
    expect(() => admit(arrival({ headers, httpVersion: '1.0' }))).toThrow(expect.objectContaining({ code: 'InvalidFraming' }))
  })

  it('refuses every expectation but 100-continue', () => {
    expect(admit(arrival({ headers: { expect: '100-Continue' } }))?.name).toBe('accounts')
    for (const expectation of ['coffee', '100-continue, coffee', ''])
      expect(() => admit(arrival({ headers: { expect: expectation } }))).toThrow(
        expect.objectContaining({ status: 417, code: 'ExpectationFailed' }),
      )
  })
})

function arrival(overrides: Partial<IncomingHead> = {}): IncomingHead {
  return { url: '/accounts', httpVersion: '1.1', headers: {}, rawHeaders: ['Host', 'door'], ...overrides }
}
