import { kindOf, Problem, retryAfter, titleOf } from './problem.js'

describe(Problem, () => {
  it('is RFC 9457 details with a code and the detail repeated as message', () => {
    expect(new Problem('unknown', 'UnknownUser', 'No such user.').toJSON()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'No such user.',
      code: 'UnknownUser',
      message: 'No such user.',
    })
  })

  it('names each wrong field', () => {
    const errors = [{ path: 'body.email', message: 'Invalid email address' }]
    expect(new Problem('invalid', 'InvalidInput', 'The request is not valid.', { errors }).toJSON().errors).toEqual(errors)
  })

  it('keeps its cause to itself', () => {
    const problem = new Problem('unavailable', 'DatabaseAway', 'Try again soon.', { cause: new Error('password=secret') })
    expect(JSON.stringify(problem)).not.toContain('secret')
  })
})

describe(kindOf, () => {
  it.each([
    [404, 'unknown'],
    [418, 'invalid'],
    [507, 'internal'],
  ])('reads %i as %s', (status, kind) => {
    expect(kindOf(status)).toBe(kind)
  })
})

describe(titleOf, () => {
  it('is the status text', () => {
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
