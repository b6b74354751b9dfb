import { kindOf, Problem, retryAfter, titleOf } from './problem.js'

describe(Problem, () => {
  it('serializes as RFC 9457, with a code and the detail repeated as message', () => {
    expect(new Problem('unknown', 'UnknownUser', 'No such user.').toJSON()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'No such user.',
      code: 'UnknownUser',
      message: 'No such user.',
    })
  })

  it('names each invalid field', () => {
    const errors = [{ path: 'body.email', message: 'Invalid email address' }]
    expect(new Problem('invalid', 'InvalidInput', 'The request is not valid.', { errors }).toJSON().errors).toEqual(errors)
  })

  it('has members of its own beside those of every problem, which they cannot replace', () => {
    const problem = new Problem('forbidden', 'PaymentRequired', 'Pay.', { extensions: { price: 3, code: 'Other', status: 200 } })
    expect(problem.toJSON()).toMatchObject({ price: 3, code: 'PaymentRequired', status: 403 })
  })

  it('does not serialize its cause', () => {
    const problem = new Problem('unavailable', 'DatabaseAway', 'Try again soon.', { cause: new Error('password=secret') })
    expect(JSON.stringify(problem)).not.toContain('secret')
  })
})

describe(kindOf, () => {
  it.each([
    [404, 'unknown'],
    [418, 'invalid'],
    [507, 'internal'],
  ])('maps %i to %s', (status, kind) => {
    expect(kindOf(status)).toBe(kind)
  })
})

describe(titleOf, () => {
  it('returns the status text', () => {
    expect(titleOf(403)).toBe('Forbidden')
  })
})

describe(retryAfter, () => {
  it.each([
    [0, '1'],
    [1.2, '2'],
  ])('rounds %d seconds up to %s', (seconds, header) => {
    expect(retryAfter(seconds)).toEqual({ 'retry-after': header })
  })
})
