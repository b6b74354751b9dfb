import { createHash } from 'node:crypto'
import type { DesiredMachine } from '../driver.js'
import { CALLS_MACHINES, labelsOf, MACHINE, machineName } from './labels.js'
import { apiVersionOf, type KubernetesObject, type Reference } from './objects.js'
import { p2pPortOf, podSpecOf, rpcPortOf, secretsOf } from './pod.js'
import { quantityOfMiB } from './quantities.js'

export interface Surroundings {
  readonly installation: string
  /** Where the gateway's pods are. */
  readonly gatewayNamespace: string
  readonly storageClass?: string
}

export interface Manifests {
  /** All others but the claim are its: whatever becomes of us, they go with it. */
  readonly root: KubernetesObject
  readonly claim: KubernetesObject
  readonly others: readonly KubernetesObject[]
}

/** What its pods and its other objects are made of; of others than this, the pod is made anew. */
export const SPEC = 'trestle.dev/spec'
const CHANGED_SECRETS = 'trestle.dev/secrets'
// Whatever is in a private network, the platform's own services for one, is none of a node's business. RFC 1918, 6598, 3927.
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16']

/** Everything that a machine is, by names that follow from its id. */
export function manifestsOf(machine: DesiredMachine, surroundings: Surroundings): Manifests {
  const object = objectOf(labelsOf(machine, surroundings.installation))
  const { chain, network, software, performance, diskGiB } = machine.blueprint
  const made = [object, machine] as const
  return {
    root: object({ kind: 'ConfigMap', name: machine.id }, { data: { chain, network, software, performance } }),
    claim: object(
      { kind: 'PersistentVolumeClaim', name: machine.id },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: surroundings.storageClass,
          resources: { requests: { storage: quantityOfMiB(diskGiB * 1024) } },
        },
      },
    ),
    others: [
      object({ kind: 'Secret', name: machine.id }, { type: 'Opaque', data: base64(secretsOf(machine)) }),
      ...services(...made),
      networkPolicy(...made, surroundings),
      statefulSet(...made),
    ],
  }
}

/** Of each kind, the names of what a machine has. */
export function referencesOf(id: string): Reference[] {
  const name = machineName(id)
  return [
    ...(['ConfigMap', 'Secret', 'PersistentVolumeClaim', 'Service', 'StatefulSet', 'NetworkPolicy'] as const).map((kind) => ({
      kind,
      name,
    })),
    { kind: 'Service', name: peersName(name) },
    { kind: 'Pod', name: podName(name) },
  ]
}

export function podName(id: string): string {
  return `${id}-0`
}

/** With the root as their owner, once it is there. */
export function ownedBy(root: KubernetesObject, object: KubernetesObject): KubernetesObject {
  const { name, uid } = root.metadata
  const ownerReferences = [{ apiVersion: root.apiVersion, kind: root.kind, name, uid }]
  return { ...object, metadata: { ...object.metadata, ownerReferences } as KubernetesObject['metadata'] }
}

type MakeObject = (reference: Reference, members: object) => KubernetesObject

function objectOf(labels: Record<string, string>): MakeObject {
  return ({ kind, name }, members) => ({ apiVersion: apiVersionOf(kind), kind, metadata: { name, labels }, ...members })
}

function services(object: MakeObject, { id, blueprint }: DesiredMachine): KubernetesObject[] {
  const rpc = { name: 'rpc', port: rpcPortOf(blueprint), targetPort: 'rpc', protocol: 'TCP' }
  const p2p = { name: 'p2p', port: p2pPortOf(blueprint), targetPort: 'p2p', protocol: 'TCP' }
  const selector = { [MACHINE]: id }
  return [
    // The gateway decides by itself whether a machine is fit to be asked, and its probe asks one that is not ready, too.
    object({ kind: 'Service', name: id }, { spec: { selector, ports: [rpc], publishNotReadyAddresses: true } }),
    object(
      { kind: 'Service', name: peersName(id) },
      { spec: { clusterIP: 'None', selector, ports: [p2p], publishNotReadyAddresses: true } },
    ),
  ]
}

function networkPolicy(object: MakeObject, { id, blueprint }: DesiredMachine, { gatewayNamespace }: Surroundings): KubernetesObject {
  const gateway = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': gatewayNamespace } },
    podSelector: { matchLabels: CALLS_MACHINES },
  }
  const peers = p2pPortOf(blueprint)
  const dns = {
    ports: [port(53, 'UDP'), port(53)],
    to: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
  }
  return object(
    { kind: 'NetworkPolicy', name: id },
    {
      spec: {
        podSelector: { matchLabels: { [MACHINE]: id } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ ports: [port(rpcPortOf(blueprint))], from: [gateway] }, { ports: [port(peers), port(peers, 'UDP')] }],
        egress: [dns, { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: PRIVATE } }, { ipBlock: { cidr: '::/0', except: ['fc00::/7'] } }] }],
      },
    },
  )
}

function statefulSet(object: MakeObject, machine: DesiredMachine): KubernetesObject {
  const { id, running } = machine
  const secrets = sha256(secretsOf(machine))
  const made = object({ kind: 'StatefulSet', name: id }, {})
  const pod = {
    metadata: { labels: made.metadata.labels, annotations: { [CHANGED_SECRETS]: secrets } },
    spec: podSpecOf(machine),
  }
  const metadata = { ...made.metadata, annotations: { [SPEC]: sha256(pod) } }
  const spec = {
    replicas: running ? 1 : 0,
    serviceName: peersName(id),
    selector: { matchLabels: { [MACHINE]: id } },
    podManagementPolicy: 'Parallel',
    // A pod that never became ready would stop its own replacement: the driver deletes what is of yesterday.
    updateStrategy: { type: 'OnDelete' },
    revisionHistoryLimit: 1,
    template: pod,
  }
  return { ...made, metadata, spec }
}

function peersName(id: string): string {
  return `${id}-peers`
}

function port(number: number, protocol = 'TCP') {
  return { port: number, protocol }
}

/** Undefined where there are none: Kubernetes does not keep that it was told of none. */
function base64(texts: Record<string, string>): Record<string, string> | undefined {
  const entries = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')] as const)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function sha256(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
