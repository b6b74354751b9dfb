/** Whose fields they are that we apply. */
export const FIELD_MANAGER = 'trestle-nodes'

/** What every object of Kubernetes has, as far as it matters here. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: Kind
  readonly metadata: Metadata
  readonly [member: string]: unknown
}

export interface Metadata {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly managedFields?: readonly ManagedFields[]
}

export interface ManagedFields {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly fieldsV1?: Readonly<Record<string, unknown>>
}

/** The kinds that machines are made of, and where the API has them. */
const PATHS = {
  ConfigMap: 'api/v1/configmaps',
  Secret: 'api/v1/secrets',
  PersistentVolumeClaim: 'api/v1/persistentvolumeclaims',
  Service: 'api/v1/services',
  Pod: 'api/v1/pods',
  StatefulSet: 'apis/apps/v1/statefulsets',
  NetworkPolicy: 'apis/networking.k8s.io/v1/networkpolicies',
} as const
export type Kind = keyof typeof PATHS
export const KINDS = Object.keys(PATHS) as Kind[]

export interface Reference {
  readonly kind: Kind
  readonly name: string
}

/** Of an object; without a name, of all of its kind. */
export function pathOf(namespace: string, kind: Kind, name?: string): string {
  const path = PATHS[kind]
  const cut = path.lastIndexOf('/')
  const own = name === undefined ? '' : `/${encodeURIComponent(name)}`
  return `/${path.slice(0, cut)}/namespaces/${encodeURIComponent(namespace)}${path.slice(cut)}${own}`
}

export function apiVersionOf(kind: Kind): string {
  const parts = PATHS[kind].split('/')
  return parts.slice(1, -1).join('/')
}
