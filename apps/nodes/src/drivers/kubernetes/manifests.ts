import { createHash } from 'node:crypto'
import type { DesiredMachine } from '../driver.js'
import { CALLS_MACHINES, labelsOf, MACHINE, machineName } from './labels.js'
import { apiVersionOf, type KubernetesObject, type Reference } from './objects.js'
import { p2pPortOf, podSpecOf, rpcPortOf, secretsOf } from './pod.js'
import { quantityOfMiB } from './quantities.js'

export interface ManifestSettings {
  readonly installation: string
  /** The namespace of the gateway's pods. */
  readonly gatewayNamespace: string
  readonly storageClass?: string
}

export interface Manifests {
  /** Owns all the others but the claim: they are deleted with it. */
  readonly root: KubernetesObject
  readonly claim: KubernetesObject
  readonly others: readonly KubernetesObject[]
}

/** A hash of the pod template; the pod is replaced when it changes. */
const SPEC = 'trestle.dev/spec'
const CHANGED_SECRETS = 'trestle.dev/secrets'
// A node has no business in private networks, where the platform's own services are. RFC 1918, 6598, 3927.
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16']

/** All objects of a machine; their names follow from its id. */
export function manifestsOf(machine: DesiredMachine, settings: ManifestSettings): Manifests {
  const object = objectOf(labelsOf(machine, settings.installation))
  const { chain, network, software, performance, diskGiB } = machine.blueprint
  return {
    root: object({ kind: 'ConfigMap', name: machine.id }, { data: { chain, network, software, performance } }),
    claim: object(
      { kind: 'PersistentVolumeClaim', name: machine.id },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: settings.storageClass,
          resources: { requests: { storage: quantityOfMiB(diskGiB * 1024) } },
        },
      },
    ),
    others: [
      object({ kind: 'Secret', name: machine.id }, { type: 'Opaque', data: base64(secretsOf(machine)) }),
      ...services(object, machine),
      networkPolicy(object, machine, settings),
      statefulSet(object, machine),
    ],
  }
}

/** The kinds and names of a machine's objects. */
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

/** The object with the root, which has to exist, as its owner. */
export function ownedBy(root: KubernetesObject, object: KubernetesObject): KubernetesObject {
  const { name, uid } = root.metadata
  const ownerReferences = [{ apiVersion: root.apiVersion, kind: root.kind, name, uid }]
  return { ...object, metadata: { ...object.metadata, ownerReferences } }
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
    // The gateway decides itself which machines it calls, and the probe calls one that is not ready too.
    object({ kind: 'Service', name: id }, { spec: { selector, ports: [rpc], publishNotReadyAddresses: true } }),
    object(
      { kind: 'Service', name: peersName(id) },
      { spec: { clusterIP: 'None', selector, ports: [p2p], publishNotReadyAddresses: true } },
    ),
  ]
}

function networkPolicy(object: MakeObject, { id, blueprint }: DesiredMachine, { gatewayNamespace }: ManifestSettings): KubernetesObject {
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
  const base = object({ kind: 'StatefulSet', name: id }, {})
  const pod = {
    metadata: { labels: base.metadata.labels, annotations: { [CHANGED_SECRETS]: secrets } },
    spec: podSpecOf(machine),
  }
  const metadata = { ...base.metadata, annotations: { [SPEC]: sha256(pod) } }
  const spec = {
    replicas: running ? 1 : 0,
    serviceName: peersName(id),
    selector: { matchLabels: { [MACHINE]: id } },
    podManagementPolicy: 'Parallel',
    // A pod that never became ready would block its own replacement: the driver deletes outdated pods.
    updateStrategy: { type: 'OnDelete' },
    revisionHistoryLimit: 1,
    template: pod,
  }
  return { ...base, metadata, spec }
}

function peersName(id: string): string {
  return `${id}-peers`
}

function port(number: number, protocol = 'TCP') {
  return { port: number, protocol }
}

/** Undefined if there are none: Kubernetes drops an empty map, which would look like a change. */
function base64(texts: Record<string, string>): Record<string, string> | undefined {
  const entries = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')] as const)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function sha256(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
