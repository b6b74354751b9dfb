import type { Deployment } from '@trestle/contracts/areas'
import { authorization, natsUsers } from '@trestle/contracts/nats/authorization'
import { identitiesOf } from '@trestle/contracts/nats/identities'
import { publicNkey } from '@trestle/contracts/nats/nkey'
import { newNatsSeed } from './nkey.js'
import type { Secrets } from './secrets.js'
import { variableOf } from './services.js'

/** The seed of a deployment's key in this installation. */
export function natsSeed(secrets: Pick<Secrets, 'get'>, deployment: string): string {
  return secrets.get(`${variableOf(deployment)}_NATS_NKEY_SEED`, newNatsSeed)
}

/** Who may do what in the NATS of this installation. */
export function natsAuthorization(deployments: readonly Deployment[], secrets: Pick<Secrets, 'get'>): string {
  return authorization(natsUsers(identitiesOf(deployments), ({ name }) => publicNkey(natsSeed(secrets, name))))
}
