import { UpstreamUnavailable } from '../chains/upstream-errors.js'

/** What answers is not the signer that the region is bound to. */
export class OtherSigner extends UpstreamUnavailable {
  constructor(
    name: string,
    readonly identity: string,
  ) {
    super(`${name} is not the one that was accepted.`)
  }
}
