import fc from 'fast-check'
import { clientCredentialsOf } from './client-credentials.js'

const invalidClient = expect.objectContaining({ code: 'InvalidClient' })
const invalidRequest = expect.objectContaining({ code: 'InvalidRequest' })

describe(clientCredentialsOf, () => {
  it('reads Basic credentials that are form-encoded as RFC 6749 requires', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }).filter(isPlain),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        (clientId, clientSecret) => {
          const header = basic(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)
          expect(clientCredentialsOf([header], {})).toEqual({ clientId, clientSecret })
        },
      ),
    )
  })

  it('reads a plus as the space of a form', () => {
    expect(clientCredentialsOf([basic('a+b:c%2Bd')], {})).toEqual({ clientId: 'a b', clientSecret: 'c+d' })
  })

  it('reads the members of the form, whatever bearer token is sent', () => {
    const form = { client_id: 'id', client_secret: 'secret' }
    expect(clientCredentialsOf(['Bearer stale'], form)).toEqual({ clientId: 'id', clientSecret: 'secret' })
  })

  it('refuses to choose between two ways', () => {
    expect(() => clientCredentialsOf([basic('id:secret')], { client_secret: 'secret' })).toThrow(invalidRequest)
    expect(() => clientCredentialsOf([basic('id:secret')], { client_id: 'other' })).toThrow(invalidRequest)
  })

  it('lets the form repeat the id of the header', () => {
    expect(clientCredentialsOf([basic('id:secret')], { client_id: 'id' })).toEqual({ clientId: 'id', clientSecret: 'secret' })
  })

  it.each([
    ['no credentials', [], {}],
    ['an id alone', [], { client_id: 'id' }],
    ['an empty secret', [], { client_id: 'id', client_secret: '' }],
    ['a broken header', ['Basic ???'], {}],
    ['a header without credentials', ['Basic'], {}],
    ['two headers', [basic('id:secret'), basic('id:secret')], {}],
    ['a broken escape', [basic('id:%zz')], {}],
  ])('refuses %s', (_, authorization, form: Record<string, string>) => {
    expect(() => clientCredentialsOf(authorization, form)).toThrow(invalidClient)
  })
})

function isPlain(text: string): boolean {
  return text.isWellFormed()
}

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`
}
