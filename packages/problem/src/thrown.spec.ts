import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { codeOf, messageOf } from './thrown.js'

describe('a thrown value', () => {
  const missing = thrownBy(() => readFileSync('/no/such/file'))

  it.each([
    ['an error', new TypeError('no such thing'), 'no such thing'],
    ['an error of another realm', runInNewContext('new Error("from elsewhere")'), 'from elsewhere'],
    ['a string', 'out of cheese', 'out of cheese'],
    ['nothing', undefined, 'undefined'],
  ])('has a message if it is %s', (_, error, message) => {
    expect(messageOf(error)).toBe(message)
  })

  it.each([
    ["Node's error", missing, 'ENOENT'],
    ['an error without a code', new Error('no'), undefined],
    ['an error with a numeric code', Object.assign(new Error('no'), { code: 7 }), undefined],
    ['null', null, undefined],
  ])('has a code only if that is a text: %s', (_, error, code) => {
    expect(codeOf(error)).toBe(code)
  })
})

function thrownBy(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
