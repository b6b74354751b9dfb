import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { beginsWithZeroBits, type WorkChallenge } from '@trestle/contracts/accounts/proof-of-work'
import { Problem } from '@trestle/problem/problem'

const LIFETIME_MS = 10 * 60_000
const PROOF = /^(?<challenge>(?<difficulty>\d{1,2})\.(?<expiresAt>\d{1,15})\.(?<nonce>[\w-]{22})\.(?<mac>[\w-]{43}))\.\d{1,20}$/

/** What a challenge is for: it is good for one e-mail address, in the spelling that is compared. */
export interface ChallengeScope {
  readonly emailCanonical: string
  readonly key: Buffer
}

/** A challenge that nobody stores: whoever has the key can verify it. */
export function newChallenge(
  scope: ChallengeScope,
  { difficulty, nonce }: { difficulty: number; nonce: string },
  now: Date,
): WorkChallenge {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  const terms = `${difficulty}.${expiresAt.getTime()}.${nonce}`
  return { challenge: `${terms}.${macOf(terms, scope)}`, difficulty, algorithm: 'SHA-256', expiresAt: expiresAt.toISOString() }
}

/** The terms of a solved challenge, or why the proof is none. */
export function readProof(proof: string, scope: ChallengeScope, now: Date): { nonce: string; difficulty: number } | string {
  const { challenge = '', difficulty = '', expiresAt = '', nonce = '', mac = '' } = PROOF.exec(proof)?.groups ?? {}
  const terms = challenge.slice(0, -mac.length - 1)
  if (!challenge || !timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(terms, scope))))
    return 'The proof is of no challenge for this e-mail address.'
  if (now.getTime() >= Number(expiresAt)) return 'The challenge has expired.'
  if (!beginsWithZeroBits(hash('sha256', proof, 'buffer'), Number(difficulty))) return 'The proof does not solve its challenge.'
  return { nonce, difficulty: Number(difficulty) }
}

/** How to go on, for a client that has only this. */
export function proofRequired(proofOfWork: WorkChallenge, reason?: string): Problem {
  const { challenge, difficulty, expiresAt } = proofOfWork
  const what = `Find a whole number n for which the SHA-256 of "${challenge}.n", with n in decimal digits, begins with ${difficulty} zero bits.`
  const how = `Then send the same request again by ${expiresAt}, with "proofOfWork": "${challenge}.n" in its body.`
  const why = reason ?? 'Sign-ups on this platform need a proof of work.'
  return new Problem('forbidden', 'ProofOfWorkRequired', `${why} ${what} ${how}`, { extensions: { proofOfWork } })
}

function macOf(terms: string, { key, emailCanonical }: ChallengeScope): string {
  return createHmac('sha256', key).update(`${terms} ${emailCanonical}`).digest('base64url')
}
