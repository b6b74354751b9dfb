import fc from 'fast-check'
import { parseBasic } from './basic-credentials.js'

const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64')
const basic = (text: string | Uint8Array) => [`Basic ${base64(text)}`]

describe(parseBasic, () => {
  it('reads the example of RFC 7617 section 2', () => {
    expect(parseBasic(['Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='])).toEqual({ identifier: 'Aladdin', password: 'open sesame' })
  })

  it('reads the UTF-8 example of RFC 7617 section 2.1', () => {
    expect(parseBasic(['Basic dGVzdDoxMjPCow=='])).toEqual({ identifier: 'test', password: '123£' })
  })

  it.each(['basic', 'BASIC', 'bAsIc'])('accepts the scheme as %s', (scheme) => {
    expect(parseBasic([`${scheme} ${base64('a:b')}`])).toEqual({ identifier: 'a', password: 'b' })
  })

  it.each([
    ['colons', 'a:b::c'],
    ['a NUL', 'a:before\u0000after'],
    ['spaces at its ends', 'a: open sesame '],
    ['a byte order mark', 'a:\ufeffword'],
  ])('keeps %s in the password', (_, text) => {
    expect(parseBasic(basic(text))).toEqual({ identifier: 'a', password: text.slice(2) })
  })

  it('parses any user-id and password', () => {
    const identifier = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes(':'))
    fc.assert(
      fc.property(identifier, fc.string({ unit: 'binary', minLength: 1 }), (id, password) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 bars them from the user-id
        fc.pre(!/[\u0000-\u001f\u007f]/.test(id) && password.isWellFormed())
        expect(parseBasic(basic(`${id}:${password}`))).toEqual({ identifier: id, password })
      }),
    )
  })

  it('never throws, whatever the header', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (headers) => {
        parseBasic(headers)
        parseBasic(headers.map((header) => `Basic ${header}`))
      }),
    )
  })

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseBasic(basic(bytes))))
  })

  it.each<[string, string[]]>([
    ['no header', []],
    ['an empty header', ['']],
    ['the scheme alone', ['Basic']],
    ['the scheme and a space', ['Basic ']],
    ['another scheme', [`Bearer ${base64('a:b')}`]],
    ['a scheme that only ends like it', [`XBasic ${base64('a:b')}`]],
    ['two headers', [...basic('a:b'), ...basic('a:b')]],
    ['two values in one header', [`Basic ${base64('a:b')}, Basic ${base64('a:b')}`]],
    ['what is no base64', ['Basic !!!!']],
    ['missing padding', ['Basic YTpi'.slice(0, -1)]],
    ['too much padding', [`Basic ${base64('a:bc')}=`]],
    ['white space inside', ['Basic YT pi']],
    ['the URL-safe alphabet', [`Basic ${base64('a:???>>>').replaceAll('+', '-').replaceAll('/', '_')}`]],
    ['bits after the last byte', ['Basic YTpiYx==']],
    ['no colon', basic('ab')],
    ['no user-id', basic(':pw')],
    ['no password', basic('user:')],
    ['nothing but a colon', basic(':')],
    ['Latin-1 bytes', basic(Buffer.from('a:w\u00f6rd', 'latin1'))],
    ['a control character in the user-id', basic('a\u0000b:pw')],
    ['a line break in the user-id', basic('a\r\nb:pw')],
  ])('refuses %s', (_, headers) => {
    expect(parseBasic(headers)).toBeUndefined()
  })
})
