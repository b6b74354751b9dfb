import { clientKeys } from '@trestle/contracts/accounts/client-keys'
import { CLIENT_AREAS } from '@trestle/contracts/areas'
import fc from 'fast-check'
import { EXPIRIES } from './key-expiry.js'
import { canCreateKey, EMPTY_KEY, isExpiry, keyBody, reduceKey } from './key-form.js'

const NOW = new Date('2026-03-01T12:00:00.000Z')

describe(keyBody, () => {
  it('asks for every area and no end at first', () => {
    expect(keyBody(EMPTY_KEY, NOW)).toEqual({ scopes: [...CLIENT_AREAS] })
  })

  it('trims the name, and leaves a blank one out', () => {
    expect(keyBody({ ...EMPTY_KEY, name: ' payments ' }, NOW)).toMatchObject({ name: 'payments' })
    expect(keyBody({ ...EMPTY_KEY, name: '  ' }, NOW)).not.toHaveProperty('name')
  })

  it('is a body that the contract accepts, whatever is chosen', () => {
    const forms = fc.record({
      name: fc.string({ maxLength: 100 }),
      scopes: fc.subarray([...CLIENT_AREAS], { minLength: 1 }),
      expiry: fc.constantFrom(...EXPIRIES),
      lastDay: fc.constantFrom('2026-03-02', '2026-12-31', '2028-02-29'),
    })
    fc.assert(
      fc.property(forms, (form) => {
        expect(canCreateKey(form)).toBe(true)
        expect(clientKeys.create.body.safeParse(keyBody(form, NOW)).success).toBe(true)
      }),
    )
  })
})

describe(canCreateKey, () => {
  it.each([
    ['no area', { scopes: [] }, false],
    ['one area', { scopes: ['nodes'] }, true],
    ['a date that is not chosen yet', { expiry: 'day', lastDay: '' }, false],
    ['a date', { expiry: 'day', lastDay: '2026-12-31' }, true],
    ['a date left from before', { expiry: '30', lastDay: '' }, true],
  ] as const)('with %s is %s', (_title, change, expected) => {
    expect(canCreateKey({ ...EMPTY_KEY, ...change })).toBe(expected)
  })
})

describe(reduceKey, () => {
  it('keeps areas in one order, however they were ticked', () => {
    const value = CLIENT_AREAS.toReversed()
    expect(reduceKey(EMPTY_KEY, { type: 'changed', field: 'scopes', value }).scopes).toEqual([...CLIENT_AREAS])
  })

  it('keeps the date while another expiry is tried', () => {
    const dated = { ...EMPTY_KEY, expiry: 'day', lastDay: '2026-12-31' } as const
    expect(reduceKey(dated, { type: 'changed', field: 'expiry', value: '30' }).lastDay).toBe('2026-12-31')
  })
})

describe(isExpiry, () => {
  it('knows the choices and nothing else', () => {
    expect([...EXPIRIES, '7', '', null].map(isExpiry)).toEqual([...EXPIRIES.map(() => true), false, false, false])
  })
})
