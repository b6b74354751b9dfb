import type { EthereumNetwork } from '@trestle/ethereum/network'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { UpstreamRefusal, UpstreamUnavailable } from '../chains/upstream-errors.js'
import type { KeyImport, SignerClient } from './signer.js'

/** What it means to a caller that a signer failed, or undefined when the error is about something else; its cause says what happened. */
function signerProblem(error: unknown): Problem | undefined {
  if (!(error instanceof UpstreamUnavailable || error instanceof UpstreamRefusal)) return undefined
  return new Problem('unavailable', 'SignerUnavailable', "The region's validator client cannot be asked at the moment; try again.", {
    cause: error,
    headers: retryAfter(5),
  })
}

/** A signer whose failures are told as its own: a chain's are of the same kind. */
export class GuardedSignerClient implements SignerClient {
  readonly keepsFeeRecipients: boolean

  constructor(private readonly signer: SignerClient) {
    this.keepsFeeRecipients = signer.keepsFeeRecipients
  }

  list() {
    return guarded(this.signer.list())
  }

  import(key: KeyImport) {
    return guarded(this.signer.import(key))
  }

  remove(pubkey: Buffer) {
    return guarded(this.signer.remove(pubkey))
  }

  feeRecipient(pubkey: Buffer) {
    return guarded(this.signer.feeRecipient(pubkey))
  }

  setFeeRecipient(pubkey: Buffer, address: Buffer) {
    return guarded(this.signer.setFeeRecipient(pubkey, address))
  }

  signExit(pubkey: Buffer, exit: VoluntaryExit, network: EthereumNetwork) {
    return guarded(this.signer.signExit(pubkey, exit, network))
  }

  close() {
    return this.signer.close()
  }
}

async function guarded<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw signerProblem(error) ?? error
  }
}
