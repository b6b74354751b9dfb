import { Problem, type ProblemKind } from '@trestle/problem/problem'
import { RpcError } from '@trestle/sdk/json-rpc'
import { explain } from './explanation.js'
import { Failure } from './failure.js'

const ATTEMPT = { url: 'http://127.0.0.1:8080', profile: 'default', login: 'account', requestId: 'r1' } as const

describe(explain, () => {
  it.each<[ProblemKind, string, number]>([
    ['invalid', 'InvalidInput', 2],
    ['unauthenticated', 'InvalidToken', 3],
    ['forbidden', 'TokenExpired', 3],
    ['forbidden', 'MissingRole', 4],
    ['unknown', 'UnknownNode', 5],
    ['conflict', 'AliasTaken', 6],
    ['forbidden', 'LimitExceeded', 6],
    ['too-many', 'TooManyAttempts', 6],
    ['unavailable', 'Unreachable', 7],
    ['upstream-timeout', 'Timeout', 7],
    ['bad-upstream', 'InvalidReply', 1],
    ['internal', 'Internal', 1],
  ])('ends %s %s with %i', (kind, code, exit) => {
    expect(explain(new Problem(kind, code, 'That.'), ATTEMPT)).toMatchObject({ exit, message: 'That.', details: [`${code}, request r1`] })
  })

  it('lists every mistake in the input, and says how long to wait', () => {
    const problem = new Problem('too-many', 'X', 'That.', {
      errors: [{ path: 'body.name', message: 'is missing' }],
      headers: { 'retry-after': '7' },
    })
    expect(explain(problem, ATTEMPT).details).toEqual(['body.name: is missing', 'Try again in 7 s.', 'X, request r1'])
  })

  it('does not repeat the mistake that the detail names', () => {
    const errors = [
      { path: 'body.nme', message: 'unknown member "nme"; did you mean "name"?' },
      { path: 'body.name', message: 'is required' },
    ]
    const problem = new Problem('invalid', 'InvalidInput', 'body.nme: unknown member "nme"; did you mean "name"? (and 1 more)', { errors })
    expect(explain(problem, ATTEMPT).details).toEqual(['body.name: is required', 'InvalidInput, request r1'])
  })

  it('says what to do about an invalid login, by its kind', () => {
    const problem = new Problem('unauthenticated', 'InvalidToken', 'That.')
    const advice = (attempt: Parameters<typeof explain>[1]) => explain(problem, attempt).advice
    expect(advice(ATTEMPT)).toBe('Run: trestle login')
    expect(advice({ ...ATTEMPT, url: 'https://a.example', profile: 'work' })).toBe(
      'Run: trestle login --profile work --url https://a.example',
    )
    expect(advice({ ...ATTEMPT, login: 'client' })).toContain('client key')
    expect(advice({ ...ATTEMPT, login: 'token' })).toContain('TRESTLE_TOKEN')
  })

  it.each([
    [new RpcError(-32601, 'no'), 2],
    [new RpcError(-32005, 'no'), 6],
    [new RpcError(3, 'reverted', '0x08'), 1],
    [new RpcError(4900, 'no', {}, { cause: new Problem('unavailable', 'Unreachable', 'no') }), 7],
    [new Failure(5, 'no'), 5],
    [new Error('no'), 1],
    ['no', 1],
    [new Problem('conflict', 'constructor', 'no'), 6],
    [new Error(''), 1],
  ])('ends %s with %i', (error, exit) => {
    expect(explain(error, ATTEMPT)).toMatchObject({ exit, message: expect.stringMatching(/./) })
  })
})
