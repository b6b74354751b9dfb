import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { identitiesOf } from '@trestle/contracts/nats/identities'
import { MESSAGES } from '@trestle/contracts/nats/messages'
import { streamPlans } from '@trestle/contracts/nats/stream-plans'

/** What accounts creates. */
export const STREAMS = streamPlans(identitiesOf(DEPLOYMENTS), MESSAGES)
