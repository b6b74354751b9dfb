import { Problem } from '@trestle/problem/problem'
import { problemByField } from './problem-by-field.js'
import { fieldErrors, problemMessage, problemRequestId } from './problem-message.js'

const INVALID = new Problem('invalid', 'InvalidInput', 'body.name: too short', {
  errors: [
    { path: 'body.name', message: 'too short' },
    { path: 'body.billingAddress.country', message: 'is required' },
  ],
})

describe(problemByField, () => {
  it('is nothing without an error', () => {
    expect(problemByField(null)).toEqual({ fields: {}, rest: undefined })
  })

  it('shows each message at its field', () => {
    expect(problemByField(INVALID)).toEqual({ fields: { name: 'too short', country: 'is required' } })
  })

  it('shows a code that is about one field at that field', () => {
    const weak = new Problem('invalid', 'WeakPassword', 'Use at least 15 characters.')
    expect(problemByField(weak, { WeakPassword: 'password' })).toEqual({ fields: { password: 'Use at least 15 characters.' } })
  })

  it('leaves any other problem to the form as a whole', () => {
    const away = new Problem('unavailable', 'Away', 'The service is away.')
    expect(problemByField(away, { WeakPassword: 'password' })).toEqual({ fields: {}, rest: away })
  })

  it('leaves an error that is no problem to the form as a whole', () => {
    const bug = new TypeError('x is undefined')
    expect(problemByField(bug)).toEqual({ fields: {}, rest: bug })
  })
})

describe(fieldErrors, () => {
  it.each([
    ['body.name', 'name'],
    ['/body/name', 'name'],
    ['name', 'name'],
    ['body.limits.perDay', 'perDay'],
    ['body.allowedIps[0]', 'allowedIps'],
    ['body.allowedIps.0', 'allowedIps'],
  ])('finds the field of %s', (path, field) => {
    const problem = new Problem('invalid', 'InvalidInput', '', { errors: [{ path, message: 'wrong' }] })
    expect(fieldErrors(problem)).toEqual({ [field]: 'wrong' })
  })
})

describe(problemMessage, () => {
  it.each([
    ['Unreachable', 'The platform cannot be reached. Check your connection. The page retries automatically.'],
    ['Timeout', 'The request timed out. The page retries automatically.'],
    ['Forbidden', 'You do not have permission. Ask an administrator of your organization.'],
  ])('has its own words for %s', (code, expected) => {
    expect(problemMessage(new Problem('unavailable', code, 'ECONNREFUSED 10.0.0.1'))).toBe(expected)
  })

  it('is the platform’s detail otherwise', () => {
    expect(problemMessage(new Problem('conflict', 'AliasTaken', 'This name is taken.'))).toBe('This name is taken.')
  })
})

describe(problemRequestId, () => {
  it('is there only where the answer carried one', () => {
    const problem = new Problem('internal', 'InternalError', '', { headers: { 'x-request-id': 'r-1' } })
    expect([problemRequestId(problem), problemRequestId(INVALID), problemRequestId(new Error())]).toEqual(['r-1', undefined, undefined])
  })
})
