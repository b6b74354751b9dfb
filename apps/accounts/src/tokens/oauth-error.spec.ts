import { Problem, type ProblemKind } from '@trestle/problem/problem'
import { oauthError } from './oauth-error.js'

describe(oauthError, () => {
  it.each<[ProblemKind, string, number, string]>([
    ['unauthenticated', 'InvalidClient', 401, 'invalid_client'],
    ['unauthenticated', 'InvalidRefreshToken', 400, 'invalid_grant'],
    ['invalid', 'InvalidScope', 400, 'invalid_scope'],
    ['invalid', 'UnsupportedGrantType', 400, 'unsupported_grant_type'],
    ['invalid', 'UnsupportedTokenType', 400, 'unsupported_token_type'],
    ['invalid', 'InvalidForm', 400, 'invalid_request'],
    ['unsupported-type', 'UnsupportedMediaType', 400, 'invalid_request'],
    ['too-large', 'BodyTooLarge', 413, 'invalid_request'],
    ['unavailable', 'KeysUnavailable', 503, 'temporarily_unavailable'],
  ])('answers the %s problem %s with %i %s', (kind, code, status, error) => {
    expect(oauthError(new Problem(kind, code, 'Why.'))).toEqual({ status, error, error_description: 'Why.' })
  })

  it('uses only the characters that RFC 6749 allows', () => {
    const description = oauthError(new Problem('invalid', 'X', 'a "b" \\ ü\n~')).error_description
    expect(description).toBe('a  b      ~')
  })
})
