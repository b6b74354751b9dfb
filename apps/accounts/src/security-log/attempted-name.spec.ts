import { attemptedName } from './attempted-name.js'

const NOTHING = { authorization: [], body: undefined, params: {} }
const basic = (text: string) => [`Basic ${Buffer.from(text).toString('base64')}`]

describe(attemptedName, () => {
  it.each([
    ['of HTTP Basic', { authorization: basic('Ada@Example.org:secret') }, 'ada@example.org'],
    ['in a body', { body: { email: 'Ada@Example.org', password: 'secret' } }, 'ada@example.org'],
    ['of a client', { body: { clientId: 'client-1', clientSecret: 'secret' } }, 'client-1'],
    ['of a client in a form', { body: { client_id: 'client-1' } }, 'client-1'],
    ['in the path', { params: { userId: 'user-1', token: 'secret' } }, 'user-1'],
  ])('is the name %s', (_, given, expected) => {
    expect(attemptedName({ ...NOTHING, ...given })).toBe(expected)
  })

  it.each([
    ['nothing', {}],
    ['a body that is no object', { body: 'ada' }],
    ['a name that is no text', { body: { email: 5 } }],
    ['two headers', { authorization: [...basic('a:b'), ...basic('c:d')] }],
  ])('is none for %s', (_, given) => {
    expect(attemptedName({ ...NOTHING, ...given })).toBeUndefined()
  })
})
