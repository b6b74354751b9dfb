import type { EthereumNetwork } from '@trestle/ethereum/network'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { UpstreamRefusal, UpstreamUnavailable } from '../chains/upstream-errors.js'
import type { KeyImport, SignerClient } from './signer.js'

/** The problem for callers if a signer failed, with the failure as its cause; undefined for any other error. */
function signerProblem(error: unknown): Problem | undefined {
  if (!(error instanceof UpstreamUnavailable || error instanceof UpstreamRefusal)) return undefined
  return new Problem('unavailable', 'SignerUnavailable', "The region's validator client does not answer at the moment; try again.", {
    cause: error,
    headers: retryAfter(5),
  })
}

/** A signer whose failures are `SignerUnavailable`: those of a chain's nodes are the same classes of errors. */
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
