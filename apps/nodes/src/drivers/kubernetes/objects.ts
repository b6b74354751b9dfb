/** The manager of the fields that we apply. */
export const FIELD_MANAGER = 'trestle-nodes'

/** The members of every Kubernetes object that matter here. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: ObjectKind
  readonly metadata: Metadata
  readonly [member: string]: unknown
}

interface Metadata {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly managedFields?: readonly ManagedFields[]
  readonly ownerReferences?: readonly OwnerReference[]
}

interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid?: string
}

interface ManagedFields {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly fieldsV1?: Readonly<Record<string, unknown>>
}

/** The kinds of object that machines consist of, and their paths. */
const PATHS = {
  ConfigMap: 'api/v1/configmaps',
  Secret: 'api/v1/secrets',
  PersistentVolumeClaim: 'api/v1/persistentvolumeclaims',
  Service: 'api/v1/services',
  Pod: 'api/v1/pods',
  StatefulSet: 'apis/apps/v1/statefulsets',
  NetworkPolicy: 'apis/networking.k8s.io/v1/networkpolicies',
} as const
export type ObjectKind = keyof typeof PATHS
export const OBJECT_KINDS = Object.keys(PATHS) as ObjectKind[]

export interface Reference {
  readonly kind: ObjectKind
  readonly name: string
}

/** The path of an object; without a name, of the collection. */
export function apiPathOf(namespace: string, kind: ObjectKind, name?: string): string {
  const path = PATHS[kind]
  const cut = path.lastIndexOf('/')
  const suffix = name === undefined ? '' : `/${encodeURIComponent(name)}`
  return `/${path.slice(0, cut)}/namespaces/${encodeURIComponent(namespace)}${path.slice(cut)}${suffix}`
}

export function apiVersionOf(kind: ObjectKind): string {
  const parts = PATHS[kind].split('/')
  return parts.slice(1, -1).join('/')
}
