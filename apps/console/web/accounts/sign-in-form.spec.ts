import fc from 'fast-check'
import { changeField } from '../parts/form.js'
import { challengeOfHash, destinationOf, emptySignIn } from './sign-in-form.js'

describe(challengeOfHash, () => {
  it('reads what the console has put there, and nothing else', () => {
    expect(challengeOfHash(`#challenge=${encodeURIComponent('{"challenge":"c1"}')}`)).toEqual({ challenge: 'c1' })
    for (const hash of ['', '#', '#challenge=', '#challenge=%', '#challenge=x', '#other=1']) expect(challengeOfHash(hash)).toBeUndefined()
  })
})

describe(destinationOf, () => {
  it.each([
    [null, '/app'],
    ['', '/app'],
    ['/app', '/app'],
    ['/app?tab=1', '/app?tab=1'],
    ['/app/nodes/node-1?tab=logs', '/app/nodes/node-1?tab=logs'],
    ['/app/account/invitation/abc', '/app/account/invitation/abc'],
  ])('leads from %j to %s', (to, expected) => {
    expect(destinationOf(to)).toBe(expected)
  })

  it.each([
    'https://evil.example',
    '//evil.example/app',
    '/apple',
    '/accounts/docs',
    'app',
    'javascript:alert(1)',
    ' /app/nodes',
    '/app/account/sign-in',
    '/app/account/reset/a/b',
  ])('does not follow %j', (to) => {
    expect(destinationOf(to)).toBe('/app')
  })

  it('never leaves the console, whatever the link says', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `/app${text}`),
        ),
        (to) => {
          expect(destinationOf(to)).toMatch(/^\/app(?:[/?#]|$)/)
        },
      ),
    )
  })
})

describe(emptySignIn, () => {
  it('begins with the address that the link names', () => {
    expect([emptySignIn('ada@example.org'), emptySignIn(null)]).toEqual([
      { email: 'ada@example.org', password: '' },
      { email: '', password: '' },
    ])
  })

  it('changes one field and keeps the other', () => {
    const typed = changeField(emptySignIn('ada@example.org'), { type: 'changed', field: 'password', value: 'x' })
    expect(typed).toEqual({ email: 'ada@example.org', password: 'x' })
  })
})
