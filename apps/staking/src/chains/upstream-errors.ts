// Failures of nodes and signers. None of them contains a URL or a token: they are logged and shown.

/** It is unreachable or too slow, its response is too long or malformed, or it reports that it failed. */
export class UpstreamUnavailable extends Error {
  override readonly name = 'UpstreamUnavailable'
}

/** It follows another network than configured. */
export class WrongNetwork extends UpstreamUnavailable {}

/** It understood the request and refused it. */
export class UpstreamRefusal extends Error {
  override readonly name = 'UpstreamRefusal'

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}
