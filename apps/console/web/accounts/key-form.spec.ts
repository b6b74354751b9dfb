import { type ClientKey, clientKeys } from '@trestle/contracts/accounts/client-keys'
import { CLIENT_AREAS } from '@trestle/contracts/areas'
import { Scope } from '@trestle/contracts/permissions'
import fc from 'fast-check'
import { EXPIRIES } from './key-expiry.js'
import { canSaveKey, EMPTY_KEY, isExpiry, keyBody, keyChange, keyForm, reduceKey } from './key-form.js'
import { scopesAmong } from './key-scopes.js'

const NOW = new Date('2026-03-01T12:00:00.000Z')

const forms = fc.record({
  name: fc.string({ maxLength: 100 }),
  scopes: fc.subarray([...Scope.options], { minLength: 1 }).map(scopesAmong),
  expiry: fc.constantFrom(...EXPIRIES),
  lastDay: fc.constantFrom('2026-03-02', '2026-12-31', '2028-02-29'),
  perSecond: fc.constantFrom('' as const, 1, 10_000),
  perDay: fc.constantFrom('' as const, 1, 1_000_000_000),
  allowedIps: fc.constantFrom('', '192.0.2.1', '10.0.0.0/8\n2001:db8::/32'),
  serviceAccountId: fc.constantFrom('', 'user-00000000-0000-4000-8000-000000000001'),
})

describe(keyBody, () => {
  it('asks for every area and no end at first', () => {
    expect(keyBody(EMPTY_KEY, NOW)).toEqual({ scopes: [...CLIENT_AREAS] })
  })

  it('trims the name, and leaves a blank one out', () => {
    expect(keyBody({ ...EMPTY_KEY, name: ' payments ' }, NOW)).toMatchObject({ name: 'payments' })
    expect(keyBody({ ...EMPTY_KEY, name: '  ' }, NOW)).not.toHaveProperty('name')
  })

  it('is a body that the contract accepts, whatever is chosen', () => {
    fc.assert(
      fc.property(forms, (form) => {
        expect(canSaveKey(form)).toBe(true)
        expect(clientKeys.create.body.safeParse(keyBody(form, NOW)).success).toBe(true)
      }),
    )
  })
})

describe(keyChange, () => {
  const key: ClientKey = {
    id: 'client-00000000-0000-4000-8000-000000000001',
    createdAt: NOW.toISOString(),
    name: 'payments',
    scopes: ['nodes:read'],
    expiresAt: '2027-01-01T00:00:00.000Z',
    perSecond: 5,
    allowedIps: ['192.0.2.1'],
  }

  it('is nothing as long as nothing is changed', () => {
    expect(keyChange(keyForm(key), key, NOW)).toEqual({})
  })

  it('has what was changed, and null for what was removed', () => {
    expect(keyChange({ ...keyForm(key), name: 'other' }, key, NOW)).toEqual({ name: 'other' })
    expect(keyChange({ ...keyForm(key), name: ' ', perSecond: '', allowedIps: '', expiry: 'never' }, key, NOW)).toEqual({
      name: null,
      perSecond: null,
      allowedIps: [],
      expiresAt: null,
    })
  })

  it('is a body that the contract accepts, whatever is changed', () => {
    fc.assert(
      fc.property(forms, (form) => {
        expect(clientKeys.change.body.safeParse(keyChange(form, key, NOW)).success).toBe(true)
      }),
    )
  })
})

describe(canSaveKey, () => {
  it.each([
    ['no area', { scopes: [] }, false],
    ['one area', { scopes: ['nodes'] }, true],
    ['one permission', { scopes: ['nodes:read'] }, true],
    ['a date that is not chosen yet', { expiry: 'day', lastDay: '' }, false],
    ['a date', { expiry: 'day', lastDay: '2026-12-31' }, true],
    ['a date left from before', { expiry: '30', lastDay: '' }, true],
    ['what is no address', { allowedIps: '192.0.2.1\nhome' }, false],
    ['too many addresses', { allowedIps: Array.from({ length: 17 }, (_, n) => `192.0.2.${n}`).join('\n') }, false],
  ] as const)('with %s is %s', (_title, change, expected) => {
    expect(canSaveKey({ ...EMPTY_KEY, ...change })).toBe(expected)
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
    expect([...EXPIRIES, 'keep', '7', '', null].map(isExpiry)).toEqual([...EXPIRIES.map(() => true), true, false, false, false])
  })
})
