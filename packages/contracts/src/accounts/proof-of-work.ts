import { z } from 'zod'
import { Timestamp } from '../fields.js'

/** The member `proofOfWork` of problem `ProofOfWorkRequired`: what to compute before the same request is sent again. */
export const WorkChallenge = z
  .object({
    challenge: z.string().max(200),
    difficulty: z.int().min(0).max(26),
    algorithm: z.literal('SHA-256'),
    expiresAt: Timestamp,
  })
  .meta({
    id: 'WorkChallenge',
    description: 'The proof is `<challenge>.<n>`, with a whole number n for which its SHA-256 begins with `difficulty` zero bits.',
  })
export type WorkChallenge = z.infer<typeof WorkChallenge>

/** A challenge, and the number that solves it. */
export const ProofOfWork = z.string().max(250)

export function beginsWithZeroBits(digest: Uint8Array, bits: number): boolean {
  const bytes = bits >> 3
  for (let at = 0; at < bytes; at++) if (digest[at] !== 0) return false
  return bits % 8 === 0 || (digest[bytes] ?? 0xff) >> (8 - (bits % 8)) === 0
}
