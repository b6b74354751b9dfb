import { createHmac } from 'node:crypto'
import type { ResolvedCall } from '../cache/resolved-call.js'
import type { CallOutcome } from '../framing/outcome.js'

/** Rises when what is stored changes its form or its meaning: answers of other versions are not found. */
export const STORE_VERSION = 1

const NAME_BYTES = 16
const MAC_BYTES = 16

/** Of which chain, and which life of it, answers are: one that is set back below what was final begins another. */
export interface ChainIdentity {
  readonly id: string
  readonly chainId: number
  readonly genesis: string
}

type SealedCall = Pick<ResolvedCall, 'method' | 'paramsJson' | 'quorum'>

/**
 * Names the stored answers of one chain, and proves that this deployment has stored them. Without its secret nobody can make one that is
 * served, nor see what was asked.
 */
export class AnswerSeal {
  private readonly key: Buffer

  constructor(secret: string, { id, chainId, genesis }: ChainIdentity) {
    this.key = createHmac('sha256', secret).update(`stored answers ${STORE_VERSION} ${chainId} ${genesis} ${id}`).digest()
  }

  /** In hexadecimal digits; the same for equal calls only. */
  nameOf({ method, paramsJson, quorum }: SealedCall): string {
    const agreement = quorum ? `${quorum.agreeing}/${quorum.nodes}` : ''
    const digest = this.hmac().update(`${agreement}|${method.name}|${paramsJson}`).digest()
    return digest.toString('hex', 0, NAME_BYTES)
  }

  macOf(name: string, { member, by = [], json }: CallOutcome): Buffer {
    return this.hmac().update(`${name}|${member}|${by.join()}|`).update(json).digest().subarray(0, MAC_BYTES)
  }

  private hmac() {
    return createHmac('sha256', this.key)
  }
}
