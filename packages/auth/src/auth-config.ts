import type { Area } from '@trestle/contracts/areas'

/** Which tokens this service accepts. */
export abstract class AuthConfig {
  /** A token's `aud` must contain it. */
  abstract readonly area: Area
  /** A token's `iss` must be equal to it. */
  abstract readonly issuer: string
  /** The status for an expired token: 403 in the staking area, 401 in the others. */
  abstract readonly expiredStatus: 401 | 403
  /** The internal port of the accounts service, for `/revocations` while NATS is away. */
  abstract readonly accountsInternalUrl?: string
}
