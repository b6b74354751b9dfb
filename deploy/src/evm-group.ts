import type { Deployment } from '@trestle/contracts/areas'
import { stringify } from 'yaml'

/** The Deployment that serves all chains of a group. */
export const EVM_GROUP = 'evm'
const FOLDER = '/etc/trestle/upstreams'
const INTERNAL_PORT_OFFSET = 1000

type Chain = Pick<Deployment, 'name' | 'port'>

/**
 * The component that has one Deployment serve all chains of the EVM that an overlay lists: what each chain's own component has made of Deployments
 * goes, its Service, routes and migration stay.
 */
export function evmGroup(chains: readonly Chain[]) {
  return {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    resources: ['../../base/evm-group'],
    patches: [...chains.flatMap(instead), ...chains.flatMap(added)],
    replacements: [replacement('GATEWAY_NAMESPACE', 'evm-from-gateway'), replacement('MONITORING_NAMESPACE', 'evm-monitoring')],
  }
}

/** The component that has the Deployment of each chain read its nodes from the key `upstreams.yaml` of the chain's Secret, and again when that changes. */
export function upstreamsFile(chains: readonly Chain[]) {
  const patches = chains.map(({ name }) => ({
    target: { kind: 'Deployment', name },
    patch: stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: { template: { spec: { containers: [container(name)], volumes: [volumeOf(name, 'upstreams')] } } },
    }),
  }))
  return { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', patches }
}

function container(name: string) {
  return {
    name: 'eth-rpc',
    env: [
      { name: 'UPSTREAMS', $patch: 'delete' },
      { name: 'UPSTREAMS_FILE', value: `${FOLDER}/${name}/upstreams.yaml` },
    ],
    volumeMounts: [{ name: 'upstreams', mountPath: `${FOLDER}/${name}`, readOnly: true }],
  }
}

/** Of a chain that is not among CHAINS there need be no Secret. A folder, as a mounted file alone never changes. */
function volumeOf(chain: string, name: string, isOptional = false) {
  const items = [{ key: 'upstreams.yaml', path: 'upstreams.yaml' }]
  return { name, secret: { secretName: chain, items, ...(isOptional && { optional: true }) } }
}

/** Without its own Deployment, which kustomize deletes by a patch. */
function instead({ name, port }: Chain) {
  const gone = (apiVersion: string, kind: string) => ({
    target: { kind, name },
    patch: stringify({ $patch: 'delete', apiVersion, kind, metadata: { name } }),
  })
  const service = [
    { op: 'replace', path: '/spec/selector', value: { 'app.kubernetes.io/name': EVM_GROUP } },
    { op: 'replace', path: '/spec/ports/0/targetPort', value: port },
    { op: 'replace', path: '/spec/ports/1/targetPort', value: port + INTERNAL_PORT_OFFSET },
  ]
  return [
    gone('apps/v1', 'Deployment'),
    gone('autoscaling/v2', 'HorizontalPodAutoscaler'),
    gone('policy/v1', 'PodDisruptionBudget'),
    { target: { kind: 'Service', name }, patch: stringify(service) },
  ]
}

function added({ name, port }: Chain) {
  const prefix = name.toUpperCase().replaceAll('-', '_')
  const add = (path: string, value: unknown) => ({ op: 'add', path: `${path}/-`, value })
  const secret = (key: string) => ({ name: `${prefix}_${key}`, valueFrom: { secretKeyRef: { name, key, optional: true } } })
  const pod = '/spec/template/spec'
  const deployment = [
    add(`${pod}/containers/0/ports`, { containerPort: port }),
    add(`${pod}/containers/0/ports`, { containerPort: port + INTERNAL_PORT_OFFSET }),
    add(`${pod}/containers/0/env`, secret('DATABASE_URL')),
    add(`${pod}/containers/0/env`, secret('NATS_NKEY_SEED')),
    add(`${pod}/containers/0/env`, { name: `${prefix}_UPSTREAMS_FILE`, value: `${FOLDER}/${name}/upstreams.yaml` }),
    add(`${pod}/containers/0/volumeMounts`, { name: `upstreams-${name}`, mountPath: `${FOLDER}/${name}`, readOnly: true }),
    add(`${pod}/volumes`, volumeOf(name, `upstreams-${name}`, true)),
  ]
  return [
    { target: { kind: 'Deployment', name: EVM_GROUP }, patch: stringify(deployment) },
    portAdded('evm-from-gateway', port),
    portAdded('evm-monitoring', port + INTERNAL_PORT_OFFSET),
  ]
}

function portAdded(name: string, port: number) {
  return { target: { kind: 'NetworkPolicy', name }, patch: stringify([{ op: 'add', path: '/spec/ingress/0/ports/-', value: { port } }]) }
}

/** Here and not in the component `network`, which has no group. */
function replacement(key: string, policy: string) {
  const field = 'spec.ingress.0.from.0.namespaceSelector.matchLabels.kubernetes\\.io/metadata\\.name'
  return {
    source: { kind: 'ConfigMap', name: 'network', fieldPath: `data.${key}` },
    targets: [{ select: { kind: 'NetworkPolicy', name: policy }, fieldPaths: [field] }],
  }
}
