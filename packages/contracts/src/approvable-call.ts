import { accounts } from './accounts/api.js'
import { type Area, DEPLOYMENTS } from './areas.js'
import { approvalOf, type EndpointSpec } from './endpoint.js'
import { nodesArea } from './nodes/api.js'
import { type ApprovablePermission } from './permissions.js'
import { staking } from './staking/api.js'

/** A request that an organization may put under four eyes. */
export interface ApprovableCall {
  readonly area: Area
  readonly endpoint: EndpointSpec
  readonly permission: ApprovablePermission
  /** As its service sees it: without the base path, with the query. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

interface ApprovableEndpoint extends Pick<ApprovableCall, 'area' | 'endpoint' | 'permission'> {
  readonly base: string
  readonly pattern: RegExp
}

/** Every endpoint that may need an approval. */
export const APPROVABLE_ENDPOINTS: readonly ApprovableEndpoint[] = [
  ...approvableOf('accounts', accounts),
  ...approvableOf('staking', staking),
  ...approvableOf('nodes', nodesArea),
]

/** The call that a request at the ingress makes; undefined of one that never needs an approval. */
export function approvableCall(method: string, path: string): ApprovableCall | undefined {
  const [pathname = '', search = ''] = path.split(/\?(.*)/s)
  for (const { area, endpoint, permission, base, pattern } of APPROVABLE_ENDPOINTS) {
    const matched = endpoint.method === method && pathname.startsWith(base) ? pattern.exec(pathname.slice(base.length)) : null
    const params = matched && decoded(matched.groups ?? {})
    if (params) {
      const query = Object.fromEntries(new URLSearchParams(search))
      return { area, endpoint, permission, path: path.slice(base.length), params, query }
    }
  }
  return undefined
}

function approvableOf(area: Area, contract: Readonly<Record<string, Readonly<Record<string, EndpointSpec>>>>): ApprovableEndpoint[] {
  const deployment = DEPLOYMENTS.find(({ name }) => name === area)
  const base = deployment && !deployment.prefixIsOwn ? deployment.basePath : ''
  const endpoints = Object.values(contract).flatMap((group) => Object.values(group))
  return endpoints.flatMap((endpoint) => {
    const permission = approvalOf(endpoint)
    const pattern = new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    return permission ? [{ area, endpoint, permission, base, pattern }] : []
  })
}

/** Undefined where the path is malformed. */
function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    return undefined
  }
}
