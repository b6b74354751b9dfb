import { canChangeFeeRecipient, EMPTY_FEE_RECIPIENT, feeRecipientBody, reduceFeeRecipient } from './fee-recipient-form.js'

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const typed = (value: string) => reduceFeeRecipient(EMPTY_FEE_RECIPIENT, { type: 'changed', field: 'feeAddress', value })

describe(canChangeFeeRecipient, () => {
  it.each([
    ['', false],
    ['0x', false],
    [`0x${'0'.repeat(40)}`, false],
    [ADDRESS.replace('5aAe', '5aae'), false],
    [ADDRESS.toLowerCase(), true],
    [ADDRESS, true],
    [` ${ADDRESS}\n`, true],
  ])('to %j is %s', (value, expected) => {
    expect(canChangeFeeRecipient(typed(value))).toBe(expected)
  })
})

describe(reduceFeeRecipient, () => {
  it('sends the address without the spaces around it, and forgets it once it is saved', () => {
    const form = typed(` ${ADDRESS} `)
    expect(feeRecipientBody(form)).toEqual({ feeAddress: ADDRESS })
    expect(reduceFeeRecipient(form, { type: 'saved' })).toEqual(EMPTY_FEE_RECIPIENT)
  })
})
