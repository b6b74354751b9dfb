import { METHOD_DESCRIPTIONS, type Parameter } from '@trestle/contracts/eth-rpc/method-descriptions'
import { initialValues, parameterMistakes, paramsFromValues, parseParams, valuesFromParams } from './params.js'

const HASH = `0x${'ab'.repeat(32)}`
const ADDRESS = `0x${'Ab'.repeat(20)}`

describe(parameterMistakes, () => {
  it.each([
    ['block', 'latest', undefined],
    ['block', '12', undefined],
    ['block', HASH, undefined],
    ['block', 'newest', 'block'],
    ['address', ADDRESS, undefined],
    ['address', ADDRESS.slice(0, -1), 'address'],
    ['hash', HASH, undefined],
    ['hash', '0xab', 'hash'],
    ['data', '0x', undefined],
    ['data', '0xabc', 'data'],
    ['quantity', '0x0', undefined],
    ['quantity', '0x01', 'quantity'],
    ['quantity', '-1', 'quantity'],
    ['flag', 'true', undefined],
    ['flag', 'yes', 'flag'],
    ['json', '{"a":1}', undefined],
    ['json', '{a:1}', 'json'],
    ['json', ' ', 'missing'],
  ] as const)('of a %s that is %j', (kind, value, expected) => {
    expect(parameterMistakes([{ name: 'it', kind }], [value])).toEqual([expected])
  })

  it('lets go what may be missing, where nothing comes after it', () => {
    const parameters: Parameter[] = [
      { name: 'a', kind: 'block', optional: true },
      { name: 'b', kind: 'block', optional: true },
    ]
    expect([parameterMistakes(parameters, ['', '']), parameterMistakes(parameters, ['', '1'])]).toEqual([
      [undefined, undefined],
      ['missing', undefined],
    ])
  })
})

describe(paramsFromValues, () => {
  it('writes each kind as the specification has it', () => {
    const parameters: Parameter[] = [
      { name: 'a', kind: 'address' },
      { name: 'b', kind: 'block' },
      { name: 'c', kind: 'quantity' },
      { name: 'd', kind: 'flag' },
      { name: 'e', kind: 'json' },
    ]
    const large = '123456789012345678901234567890'
    expect(paramsFromValues(parameters, [ADDRESS, '26', large, 'false', '[1]'])).toEqual([
      ADDRESS,
      '0x1a',
      `0x${BigInt(large).toString(16)}`,
      false,
      [1],
    ])
  })
})

describe(valuesFromParams, () => {
  const fixed = METHOD_DESCRIPTIONS.filter(({ parameters }) => parameters?.every(({ initial }) => initial !== undefined))

  it.each(fixed.map(({ name, parameters = [] }) => [name, parameters] as const))(
    'fills the fields of %s with what they would send',
    (_, parameters) => {
      const params = paramsFromValues(parameters, initialValues(parameters))
      expect(paramsFromValues(parameters, valuesFromParams(parameters, params) ?? [])).toEqual(params)
    },
  )

  it.each([[[1, 2]], [{}], [['nothing']], [undefined]])('does not press %j into a field for a block', (params) => {
    expect(valuesFromParams([{ name: 'block', kind: 'block' }], params)).toBeUndefined()
  })
})

describe(parseParams, () => {
  it.each([
    ['', []],
    ['[1]', [1]],
    ['{}', undefined],
    ['[', undefined],
  ])('reads %j', (json, expected) => {
    expect(parseParams(json)).toEqual(expected)
  })
})
