/** A failure of a node or a signer. None contains a URL or a token: they are logged and shown. */
export abstract class UpstreamError extends Error {}

/** It is unreachable or too slow, its response is too long or malformed, or it reports that it failed. */
export class UpstreamUnavailable extends UpstreamError {
  override readonly name = 'UpstreamUnavailable'
}

/** It follows another network than configured. */
export class WrongNetwork extends UpstreamUnavailable {}

/** It understood the request and refused it. */
export class UpstreamRefusal extends UpstreamError {
  override readonly name = 'UpstreamRefusal'

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}
