import fc from 'fast-check'
import { noSignInCookie, pageOf, signInCookie, signInOf } from './sign-in-cookie.js'

describe(signInCookie, () => {
  it('is for this host and for HTTP alone, and comes along from the provider', () => {
    expect(signInCookie({ attempt: 'a1', to: '/app' }, true)).toBe(
      '__Host-trestle-sign-in=a1.L2FwcA; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure',
    )
    expect(noSignInCookie(false)).toBe('trestle-sign-in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
  })

  it('is read back', () => {
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        const [pair] = signInCookie({ attempt: 'a-_1', to: `/app/${path}` }, true).split(';')
        expect(signInOf({ cookie: `other=1; ${pair}`, secure: true })).toEqual({ attempt: 'a-_1', to: pageOf(`/app/${path}`) })
      }),
    )
  })

  it.each(['', 'trestle-sign-in=a.L2FwcA', '__Host-trestle-sign-in=', '__Host-trestle-sign-in=a', '__Host-trestle-sign-in=a b.L2FwcA'])(
    'is not there in %j',
    (cookie) => {
      expect(signInOf({ cookie, secure: true })).toBeUndefined()
    },
  )
})

describe(pageOf, () => {
  it.each([
    ['/app/nodes?new=1#x', '/app/nodes?new=1#x'],
    ['/app', '/app'],
    [undefined, '/app'],
    ['//evil.example', '/app'],
    ['/app/../session', '/app'],
    ['/app/..//evil.example', '/app'],
    ['/application', '/app'],
    ['https://evil.example/app', '/app'],
    ['/app\\@evil.example', '/app'],
    ['/app/\r\nset-cookie: x=1', '/app/set-cookie:%20x=1'],
  ])('of %j is %s', (to, page) => {
    expect(pageOf(to)).toBe(page)
  })
})
