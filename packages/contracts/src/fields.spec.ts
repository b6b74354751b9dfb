import fc from 'fast-check'
import { Cursor, Digits, idOf, queryInteger, TimeInput, Timestamp } from './fields.js'

describe('a time that is sent', () => {
  it.each([
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.5Z', '2027-01-31T12:00:00.500Z'],
    ['2027-01-31T12:00:00.123456789Z', '2027-01-31T12:00:00.123Z'],
    ['2027-01-31T12:00:00-05:30', '2027-01-31T17:30:00.000Z'],
    ['2024-02-29T00:00:00+14:00', '2024-02-28T10:00:00.000Z'],
  ])('%s is taken for %s', (sent, time) => {
    expect(TimeInput.parse(sent)).toBe(time)
  })

  it.each([
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    '2027-01-31',
    '2027-02-29T00:00:00Z',
    '2027-01-31T12:00:00',
    '2027-01-31T24:00:00Z',
    '2027-01-31T12:00:60Z',
    'now',
    '',
  ])('is not %j', (sent) => {
    expect(TimeInput.safeParse(sent).success).toBe(false)
  })
})

describe(idOf, () => {
  const UserId = idOf('user')

  it('takes the prefix and any UUID in lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(UserId.parse(`user-${uuid}`)).toBe(`user-${uuid}`)
      }),
    )
  })

  it.each([
    'client-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11',
    'user-0B2C9A52-6F0E-4D6A-9D5B-0A4C1F0F2A11',
    '0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11',
    'user-0b2c9a526f0e4d6a9d5b0a4c1f0f2a11',
    'user-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11\n',
    ' user-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11',
    'user-',
  ])('refuses %j', (id) => {
    expect(UserId.safeParse(id).error?.issues[0]?.message).toBe('must look like user-<uuid>')
  })
})

describe(queryInteger, () => {
  it('reads every whole number within its bounds, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 2000 }), (number) => {
        expect(queryInteger(1, 1000).safeParse(String(number)).success).toBe(number >= 1 && number <= 1000)
      }),
    )
  })

  it.each(['', ' 5', '5 ', '+5', '-5', '05', '5.0', '5e1', '0x5', '٥', '５', '1_000', 'NaN', 'Infinity', '9'.repeat(400)])(
    'refuses %j',
    (text) => {
      expect(queryInteger(0, Number.MAX_SAFE_INTEGER).safeParse(text).success).toBe(false)
    },
  )
})

describe('Timestamp', () => {
  it('takes what JavaScript writes', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(Timestamp.parse(date.toISOString())).toBe(date.toISOString())
      }),
    )
  })

  it.each(['2026-01-01', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+01:00', '2026-13-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z'])(
    'refuses %s',
    (text) => {
      expect(Timestamp.safeParse(text).success).toBe(false)
    },
  )
})

describe('Digits', () => {
  it('takes every bigint', () => {
    fc.assert(
      fc.property(fc.bigInt(), (amount) => {
        expect(BigInt(Digits.parse(String(amount)))).toBe(amount)
      }),
    )
  })

  it.each(['', '-', '1.0', '1e18', '0x1', '+1', '1\n'])('refuses %j', (text) => {
    expect(Digits.safeParse(text).success).toBe(false)
  })
})

describe('Cursor', () => {
  it('takes what base64url writes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 150 }), (bytes) => {
        expect(Cursor.safeParse(Buffer.from(bytes).toString('base64url')).success).toBe(true)
      }),
    )
  })

  it.each(['', 'a=', 'a+b', 'a/b', 'a b', 'ä', 'x'.repeat(201)])('refuses %j', (text) => {
    expect(Cursor.safeParse(text).success).toBe(false)
  })
})
