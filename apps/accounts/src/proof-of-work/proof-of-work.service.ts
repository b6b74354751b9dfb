import { createHmac, randomBytes } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { leakyBucket, type Throttle } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { FLOOD_GAUGE, isHardEnough, requiredDifficulty } from './difficulty.js'
import { RecentValue } from './recent-value.engine.js'
import { type ChallengeScope, newChallenge, proofRequired, readProof } from './work-challenge.js'

// Counts are kept for a day, which is longer than a challenge is valid.
const ONCE = leakyBucket(1, 24 * 3600_000)
const SIGN_UPS: Throttle = { key: 'sign-ups', rule: FLOOD_GAUGE, lenient: true }

/** Has whoever signs up compute for a moment, so that a flood of sign-ups costs its sender something. */
@Injectable()
export class ProofOfWorkService {
  private readonly key: Buffer
  /** Of all replicas. */
  private readonly signUps: RecentValue<number>

  constructor(
    private readonly throttling: ThrottlingService,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {
    this.key = createHmac('sha256', env.THROTTLE_SECRET).update('proof of work').digest()
    this.signUps = new RecentValue(() => throttling.levelOf(SIGN_UPS.key, FLOOD_GAUGE))
  }

  /**
   * Does the work of a sign-up once for each proof, over all replicas; a proof is unused where the work fails. Problem `ProofOfWorkRequired`
   * with a new challenge where there is no valid proof. Who was invited needs none.
   */
  async once<T>({ proof, emailCanonical }: { proof?: string; emailCanonical: string }, work: () => Promise<T>): Promise<T> {
    if (this.env.REGISTRATION_PROOF_OF_WORK === 'off' || this.env.REGISTRATION !== 'open') return work()
    const scope = { emailCanonical, key: this.key }
    if (proof === undefined) throw await this.challenge(scope)
    const read = readProof(proof, scope, this.clock.now())
    if (typeof read === 'string') throw await this.challenge(scope, read)
    if (!isHardEnough(read.difficulty, await this.signUps.get())) throw await this.challenge(scope, 'Many sign up at the moment.')
    const done = await this.throttling.ifRoom([{ key: `proof of work ${read.nonce}`, rule: ONCE }, SIGN_UPS], work)
    if (!done) throw await this.challenge(scope, 'The proof was used before.')
    return done.result
  }

  private async challenge(scope: ChallengeScope, reason?: string): Promise<Problem> {
    const difficulty = requiredDifficulty(await this.signUps.get())
    return proofRequired(newChallenge(scope, { difficulty, nonce: randomBytes(16).toString('base64url') }, this.clock.now()), reason)
  }
}
