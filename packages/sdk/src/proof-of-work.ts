import { sha256 } from '@noble/hashes/sha2.js'
import { beginsWithZeroBits, WorkChallenge } from '@trestle/contracts/accounts/proof-of-work'
import { z } from 'zod'
import { parseJsonBody, type ReceivedReply } from './answer.js'

/** The page draws 60 times a second. */
const TURN_MS = 8
const HASHES_BETWEEN_LOOKS = 64

const RequiredProof = z.object({ code: z.literal('ProofOfWorkRequired'), proofOfWork: WorkChallenge })

/** The challenge in a refusal; undefined of any other reply. */
export function challengeIn({ status, text }: ReceivedReply): WorkChallenge | undefined {
  return status === 403 ? RequiredProof.safeParse(parseJsonBody(text)).data?.proofOfWork : undefined
}

interface Solving {
  readonly signal?: AbortSignal
  /** The chance that the solution would have been found by now, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** Tries one number after the other, and lets everything else run every few milliseconds. WebCrypto is slower, and pages have it only over https. */
export async function solve({ challenge, difficulty }: WorkChallenge, { signal, onProgress }: Solving = {}): Promise<string> {
  const utf8 = new TextEncoder()
  let turnEndsAt = performance.now() + TURN_MS
  for (let n = 0; ; n++) {
    const proof = `${challenge}.${n}`
    if (beginsWithZeroBits(sha256(utf8.encode(proof)), difficulty)) return proof
    if (n % HASHES_BETWEEN_LOOKS > 0 || performance.now() < turnEndsAt) continue
    onProgress?.(1 - Math.exp(-n / 2 ** difficulty))
    await new Promise((resolve) => setTimeout(resolve))
    signal?.throwIfAborted()
    turnEndsAt = performance.now() + TURN_MS
  }
}
