import { deliveryEndpoints } from '../delivery.js'
import { projectErrors, projectFailures } from './failures.js'
import { limits } from './limits.js'
import { projectKeys } from './project-keys.js'
import { projects } from './projects.js'
import { projectUsage } from './usage.js'

const delivery = deliveryEndpoints('')

/** The management of the Ethereum-family area; JSON-RPC itself (interface 4.5) is spoken at `/v1/<project id>`. */
export const ethRpc = {
  projects,
  keys: projectKeys,
  limits,
  usage: projectUsage,
  errors: projectErrors,
  failures: projectFailures,
  delivery,
}
