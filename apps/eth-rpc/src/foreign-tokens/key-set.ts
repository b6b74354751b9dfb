import { z } from 'zod'

/** RFC 7518: of public keys only; what a shared secret signs, or nobody, anybody could. */
export const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const
type Algorithm = (typeof ALGORITHMS)[number]

/** A key as it is published, reduced to its public part. */
export interface PublishedKey {
  readonly kid?: string
  readonly algorithm: Algorithm
  readonly jwk: { readonly kty: string } & Readonly<Record<string, string>>
}

const MAX_KEYS = 50
/** An RSA key of 8,192 bits: a longer one would make each signature cost as much as it likes. */
const MAX_MODULUS = Math.ceil(8_192 / 6)

const digits = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/)
const described = { kid: z.string().max(200).optional(), use: z.literal('sig').optional(), key_ops: z.array(z.string()).optional() }
const Jwk = z.union([
  z.object({ ...described, kty: z.literal('RSA'), alg: z.literal('RS256').optional(), n: digits(MAX_MODULUS), e: digits(6) }),
  z.object({
    ...described,
    kty: z.literal('EC'),
    alg: z.literal('ES256').optional(),
    crv: z.literal('P-256'),
    x: digits(43),
    y: digits(43),
  }),
  z.object({ ...described, kty: z.literal('OKP'), alg: z.enum(['EdDSA', 'Ed25519']).optional(), crv: z.literal('Ed25519'), x: digits(43) }),
])
const JwkSet = z.object({ keys: z.array(z.unknown()) })

const ALGORITHM_OF = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' } as const satisfies Record<string, Algorithm>

/** The keys of a JWK Set that can verify signatures here; others are ignored, as RFC 7517 section 5 says. Throws where it is no such set. */
export function keysIn(text: string): PublishedKey[] {
  const { keys } = JwkSet.parse(JSON.parse(text))
  return keys
    .flatMap((each): PublishedKey[] => {
      const { success, data } = Jwk.safeParse(each)
      if (!success || (data.key_ops && !data.key_ops.includes('verify'))) return []
      const { kid, use: _, key_ops: __, alg: ___, ...jwk } = data
      return [{ kid, algorithm: ALGORITHM_OF[data.kty], jwk }]
    })
    .slice(0, MAX_KEYS)
}
