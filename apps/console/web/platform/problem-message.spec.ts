import { Problem } from '@trestle/problem/problem'
import { problemMessage } from './problem-message.js'

describe(problemMessage, () => {
  it('lists what is wrong with each field once', () => {
    const errors = [
      { path: 'body.signature', message: 'is required' },
      { path: 'body.date', message: 'is required' },
    ]
    expect(problemMessage(new Problem('invalid', 'InvalidInput', 'body.signature: is required (and 1 more)', { errors }))).toBe(
      'body.signature: is required (and 1 more) body.date is required',
    )
  })

  it('does not show an error that is no problem of the platform', () => {
    expect(problemMessage(new TypeError('x is undefined'))).not.toContain('undefined')
  })
})
