// What can be wrong with a node or a signer, or with what it says. None of these carries a URL or a token: they are logged and told.

/** It cannot be reached, does not answer in time, answers too much or what it should not, or says that it failed. */
export class UpstreamUnavailable extends Error {
  override readonly name = 'UpstreamUnavailable'
}

/** It is of another network than it is configured for. */
export class WrongNetwork extends UpstreamUnavailable {}

/** It understood, and said no. */
export class UpstreamRefusal extends Error {
  override readonly name = 'UpstreamRefusal'

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}
