import fc from 'fast-check'
import { acceptedStep, base32, hotp, otpauthUri, stepAt } from './totp.js'

const SECRET = Buffer.from('12345678901234567890')

describe(hotp, () => {
  // RFC 4226, appendix D.
  it('is what the RFC says', () => {
    const codes = Array.from({ length: 10 }, (_, counter) => hotp(SECRET, counter))
    expect(codes).toEqual(['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'])
  })

  // RFC 6238, appendix B, with the seeds of its erratum 2866.
  it.each([
    [59, '94287082', '46119246', '90693936'],
    [1_111_111_109, '07081804', '68084774', '25091201'],
    [1_111_111_111, '14050471', '67062674', '99943326'],
    [1_234_567_890, '89005924', '91819424', '93441116'],
    [2_000_000_000, '69279037', '90698825', '38618901'],
    [20_000_000_000, '65353130', '77737706', '47863826'],
  ])('at %i s is %s, %s and %s', (seconds, sha1, sha256, sha512) => {
    const step = stepAt(new Date(seconds * 1000))
    const seed = (bytes: number) => Buffer.alloc(bytes, '1234567890')
    expect(hotp(seed(20), step, 8, 'sha1')).toBe(sha1)
    expect(hotp(seed(32), step, 8, 'sha256')).toBe(sha256)
    expect(hotp(seed(64), step, 8, 'sha512')).toBe(sha512)
  })
})

describe(acceptedStep, () => {
  const now = new Date(1_234_567_890_000)
  const step = stepAt(now)
  const accept = (text: string, lastStep: number | null = null) => acceptedStep(SECRET, text, { now, lastStep })

  it.each([-1, 0, 1])('is the step of a code that is %i steps off', (offset) => {
    expect(accept(hotp(SECRET, step + offset))).toBe(step + offset)
  })

  it.each([-3, -2, 2, 3])('is none for a code that is %i steps off', (offset) => {
    expect(accept(hotp(SECRET, step + offset))).toBeUndefined()
  })

  it('accepts no code twice, nor one from before the last', () => {
    const code = hotp(SECRET, step)
    expect(accept(code, step - 1)).toBe(step)
    expect(accept(code, step)).toBeUndefined()
    expect(accept(code, step + 1)).toBeUndefined()
  })

  it('takes a code with a space, as apps show it', () => {
    const code = hotp(SECRET, step)
    expect(accept(` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe(step)
  })

  it('takes nothing but six digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => /^\d{6}$/.test(text.replace(/[\s-]/g, '')) || accept(text) === undefined),
    )
    // What looks like digits elsewhere.
    expect(accept([...hotp(SECRET, step)].map((digit) => String.fromCharCode(0x0660 + Number(digit))).join(''))).toBeUndefined()
  })
})

describe(base32, () => {
  // RFC 4648, section 10, without padding.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('of %j is %j', (text, expected) => {
    expect(base32(Buffer.from(text))).toBe(expected)
  })
})

describe(otpauthUri, () => {
  it('has what apps need, escaped as they expect it', () => {
    const uri = otpauthUri({ secret: 'MZXW6YTB', issuer: 'trestle.example', account: 'ada+2@example.org' })
    expect(uri).toBe(
      'otpauth://totp/trestle.example:ada%2B2%40example.org?secret=MZXW6YTB&issuer=trestle.example&algorithm=SHA1&digits=6&period=30',
    )
  })
})
