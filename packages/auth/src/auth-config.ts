import type { Area } from '@trestle/contracts/areas'

/** Which tokens open this service. */
export abstract class AuthConfig {
  /** What a token's `aud` must have. */
  abstract readonly area: Area
  /** What a token's `iss` must be. */
  abstract readonly issuer: string
  /** The staking area answers 403 to an expired token, the others 401. */
  abstract readonly expiredStatus: 401 | 403
  /** Where `/revocations` of the accounts service is read when NATS is away. */
  abstract readonly accountsInternalUrl?: string
}
