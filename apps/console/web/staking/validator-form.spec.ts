import { validators } from '@trestle/contracts/staking/validators'
import { changeField } from '../parts/form.js'
import { canCreateValidator, creationKey, emptyValidator, isUsableAddress, typedDeposit, validatorBody } from './validator-form.js'

const CHOICES = { chains: ['dev', 'hoodi'], regions: ['eu', 'us'] }
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const FILLED = { ...emptyValidator(CHOICES, null), withdrawalAddress: CHECKSUMMED }

describe(emptyValidator, () => {
  it.each([
    [null, 'dev'],
    ['hoodi', 'hoodi'],
    ['mainnet', 'dev'],
  ])('takes the chain of the link where it is offered: %j gives %s', (chain, expected) => {
    expect(emptyValidator(CHOICES, chain).chain).toBe(expected)
  })

  it('chooses nothing where nothing is offered', () => {
    const form = emptyValidator({ chains: [], regions: [] }, 'dev')
    expect([form.chain, form.region]).toEqual(['', ''])
    expect(canCreateValidator({ ...form, withdrawalAddress: CHECKSUMMED })).toBe(false)
  })
})

describe(isUsableAddress, () => {
  it.each([
    [CHECKSUMMED, true],
    [` ${CHECKSUMMED}\n`, true],
    [CHECKSUMMED.toLowerCase(), true],
    [CHECKSUMMED.replace('Ae', 'aE'), false],
    [`0x${'0'.repeat(40)}`, false],
    ['vitalik.eth', false],
    ['', false],
  ])('of %j is %s', (text, expected) => {
    expect(isUsableAddress(text)).toBe(expected)
  })
})

describe(canCreateValidator, () => {
  it.each([
    ['an empty form', { withdrawalAddress: '' }, false],
    ['a withdrawal address', {}, true],
    ['a blank fee recipient', { feeAddress: '  ' }, true],
    ['a mistyped fee recipient', { feeAddress: '0x1234' }, false],
    ['both addresses', { feeAddress: CHECKSUMMED }, true],
  ])('with %s is %s', (_title, change, expected) => {
    expect(canCreateValidator({ ...FILLED, ...change })).toBe(expected)
  })
})

describe(validatorBody, () => {
  it('is a body that the contract accepts', () => {
    const body = validatorBody({ ...FILLED, rewards: 'compounding', feeAddress: ` ${CHECKSUMMED} ` })
    expect(validators.create.body.parse(body)).toMatchObject({ compounding: true, region: 'eu' })
    expect(body).toEqual({ withdrawalAddress: CHECKSUMMED, compounding: true, region: 'eu', feeAddress: CHECKSUMMED })
  })

  it('leaves the fee recipient to the platform where none is given', () => {
    expect(validatorBody(FILLED)).not.toHaveProperty('feeAddress')
  })
})

describe(typedDeposit, () => {
  it('keeps what the deposit is checked against', () => {
    expect(typedDeposit({ ...FILLED, withdrawalAddress: ` ${CHECKSUMMED}` })).toEqual({
      withdrawalAddress: CHECKSUMMED,
      compounding: false,
    })
  })
})

describe(creationKey, () => {
  it('is the same for the same input', () => {
    expect(creationKey('visit', FILLED)).toBe(creationKey('visit', { ...FILLED, withdrawalAddress: ` ${CHECKSUMMED} ` }))
  })

  it.each([
    { chain: 'hoodi' },
    { region: 'us' },
    { rewards: 'compounding' as const },
    { feeAddress: CHECKSUMMED },
    { withdrawalAddress: CHECKSUMMED.toLowerCase() },
  ])('differs with %j', (change) => {
    expect(creationKey('visit', { ...FILLED, ...change })).not.toBe(creationKey('visit', FILLED))
  })

  it('differs with the visit', () => {
    expect(creationKey('one', FILLED)).not.toBe(creationKey('two', FILLED))
  })
})

describe(changeField, () => {
  it('keeps the addresses when the chain changes', () => {
    expect(changeField(FILLED, { type: 'changed', field: 'chain', value: 'hoodi' })).toEqual({ ...FILLED, chain: 'hoodi' })
  })
})
