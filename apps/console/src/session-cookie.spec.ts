import fc from 'fast-check'
import { cookieFor, noCookie, tokenOf, unverifiedClaims } from './session-cookie.js'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenWith = (claims: object) => `${part({ alg: 'ES256' })}.${part(claims)}.c2lnbmF0dXJl`
const TOKEN = tokenWith({ iat: 1000, exp: 44_200, aud: ['accounts', 'manager'] })

describe('the session cookie', () => {
  it('lives as long as its token, out of reach of scripts and of other sites', () => {
    expect(cookieFor(TOKEN, false)).toBe(`trestle=${TOKEN}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict`)
    expect(noCookie(false)).toBe('trestle=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
  })

  it('is bound to this very host where the browser came by HTTPS', () => {
    expect(cookieFor(TOKEN, true)).toBe(`__Host-trestle=${TOKEN}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict; Secure`)
    expect(tokenOf({ cookie: `trestle=${TOKEN}`, secure: true })).toBeUndefined()
  })

  it.each([
    ['among others', `a=b; trestle=${TOKEN}; c=d`, TOKEN],
    ['not there', 'a=b', undefined],
    ['of another name', `nottrestle=${TOKEN}`, undefined],
    ['emptied', 'trestle=', undefined],
    ['with what could break a header', 'trestle=a\r\nx: y', undefined],
    ['far too long', `trestle=${'a'.repeat(5000)}`, undefined],
  ])('is found %s', (_title, cookie, token) => {
    expect(tokenOf({ cookie, secure: false })).toBe(token)
  })

  it('returns a token or nothing, whatever the browser sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (cookie) => {
        expect(tokenOf({ cookie: `trestle=${cookie}`, secure: false }) ?? 'none').toMatch(/^[\w.-]+$/)
      }),
    )
  })

  it('reads the claims of a token, and nothing else', () => {
    expect(unverifiedClaims(TOKEN)).toEqual({ iat: 1000, exp: 44_200, aud: ['accounts', 'manager'] })
    expect(unverifiedClaims(tokenWith({ iat: 1, exp: 2, aud: 'nodes' }))?.aud).toEqual(['nodes'])
    for (const broken of ['', 'a', 'a.b.c', tokenWith({ iat: 1 })]) expect(unverifiedClaims(broken)).toBeUndefined()
  })
})
