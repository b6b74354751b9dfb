import { connect } from 'node:net'
import { codeOf, messageOf } from './error-text.js'

describe(messageOf, () => {
  it.each([
    ['an error', new Error('It broke.'), 'It broke.'],
    ['a text', 'It broke.', 'It broke.'],
    ['nothing', undefined, 'undefined'],
  ])('says what was thrown: %s', (_, error, message) => {
    expect(messageOf(error)).toBe(message)
  })
})

describe(codeOf, () => {
  it('returns the code of a system error', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    connect(1, '127.0.0.1').once('error', resolve)
    expect(codeOf(await promise)).toBe('ECONNREFUSED')
  })

  it.each([
    ['an error without a code', new Error('It broke.')],
    ['a number as code', Object.assign(new Error('It broke.'), { code: 7 })],
    ['a text', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('is undefined for %s', (_, error) => {
    expect(codeOf(error)).toBeUndefined()
  })
})
