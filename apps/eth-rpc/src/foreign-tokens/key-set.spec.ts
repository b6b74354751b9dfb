import { keysIn } from './key-set.js'

const EC = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43), kid: 'ec' }
const RSA = { kty: 'RSA', n: 'n'.repeat(342), e: 'AQAB', kid: 'rsa', alg: 'RS256', use: 'sig' }
const ED = { kty: 'OKP', crv: 'Ed25519', x: 'x'.repeat(43) }

const kidsIn = (...keys: object[]) => keysIn(JSON.stringify({ keys })).map(({ kid, algorithm }) => [kid, algorithm])

it('has keys of RS256, ES256 and EdDSA', () => {
  expect(kidsIn(EC, RSA, ED, { ...ED, alg: 'EdDSA', kid: 'ed' })).toEqual([
    ['ec', 'ES256'],
    ['rsa', 'RS256'],
    [undefined, 'EdDSA'],
    ['ed', 'EdDSA'],
  ])
})

it.each([
  ['a shared secret', { kty: 'oct', k: 'c2VjcmV0', kid: 'a' }],
  ['a shared secret as an RSA key', { ...RSA, alg: 'HS256' }],
  ['nobody', { ...EC, alg: 'none' }],
  ['encryption', { ...RSA, use: 'enc' }],
  ['wrapping keys', { ...RSA, key_ops: ['wrapKey'] }],
  ['another curve', { ...EC, crv: 'P-384' }],
  ['another algorithm', { ...RSA, alg: 'PS256' }],
  ['numbers of another form', { ...EC, x: '+/==' }],
  ['16,384 bits', { ...RSA, n: 'n'.repeat(2_731) }],
  ['a huge exponent', { ...RSA, e: 'e'.repeat(300) }],
  ['a name that is none', { ...EC, kid: 7 }],
])('ignores a key of %s', (_, key) => {
  expect(kidsIn(key, EC)).toEqual([['ec', 'ES256']])
})

it('keeps nothing private, where a provider publishes that', () => {
  expect(
    JSON.stringify(
      keysIn(
        JSON.stringify({
          keys: [
            { ...EC, d: 'secret' },
            { ...RSA, d: 'secret', p: 'secret' },
          ],
        }),
      ),
    ),
  ).not.toContain('secret')
})

it('has 50 keys at most', () => {
  expect(kidsIn(...Array.from({ length: 1_000 }, () => EC))).toHaveLength(50)
})

it.each(['', 'not JSON', '[]', '{}', '{"keys":{}}', 'null', '"keys"'])('is none of %s', (text) => {
  expect(() => keysIn(text)).toThrow()
})
