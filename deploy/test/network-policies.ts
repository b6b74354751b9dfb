/** Which traffic Kubernetes allows under NetworkPolicies: https://kubernetes.io/docs/concepts/services-networking/network-policies/ */

export interface Peer {
  readonly name: string
  /** None outside the cluster. */
  readonly namespace?: string
  readonly labels?: Record<string, string>
  readonly ip: string
  /** The named ports of its containers. */
  readonly ports?: Record<string, number>
}

export interface NetworkPolicy {
  readonly metadata: { readonly name: string; readonly namespace: string }
  readonly spec: {
    readonly podSelector: Selector
    readonly policyTypes: readonly ('Ingress' | 'Egress')[]
    readonly ingress?: readonly { readonly ports?: readonly Port[]; readonly from?: readonly Target[] }[]
    readonly egress?: readonly { readonly ports?: readonly Port[]; readonly to?: readonly Target[] }[]
  }
}

interface Selector {
  readonly matchLabels?: Record<string, string>
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[]
}

interface Port {
  readonly port: number | string
  readonly endPort?: number
  readonly protocol?: string
}

interface Target {
  readonly podSelector?: Selector
  readonly namespaceSelector?: Selector
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] }
}

/** Both ends have to allow it: the egress of the source and the ingress of the destination, each if a policy selects it. */
export function allows(policies: readonly NetworkPolicy[], source: Peer, destination: Peer, port: number): boolean {
  const egress = policiesOf(policies, source, 'Egress').map(({ spec }) =>
    (spec.egress ?? []).map(({ ports, to }) => ({ ports, peers: to })),
  )
  const ingress = policiesOf(policies, destination, 'Ingress').map(({ spec }) =>
    (spec.ingress ?? []).map(({ ports, from }) => ({ ports, peers: from })),
  )
  return isAllowed(egress, source, destination) && isAllowed(ingress, destination, source)

  function isAllowed(rules: { ports?: readonly Port[]; peers?: readonly Target[] }[][], selected: Peer, other: Peer): boolean {
    if (rules.length === 0) return true
    return rules.flat().some(({ ports, peers }) => coversPort(ports, port, destination) && coversPeer(peers, other, selected.namespace))
  }
}

function policiesOf(policies: readonly NetworkPolicy[], peer: Peer, type: 'Ingress' | 'Egress'): NetworkPolicy[] {
  return policies.filter(
    ({ metadata, spec }) =>
      metadata.namespace === peer.namespace && spec.policyTypes.includes(type) && selects(spec.podSelector, peer.labels ?? {}),
  )
}

function coversPort(ports: readonly Port[] | undefined, number: number, destination: Peer): boolean {
  if (!ports) return true
  return ports.some(({ port, endPort, protocol = 'TCP' }) => {
    if (protocol !== 'TCP') return false
    const first = typeof port === 'string' ? destination.ports?.[port] : port
    return first !== undefined && number >= first && number <= (endPort ?? first)
  })
}

function coversPeer(peers: readonly Target[] | undefined, { namespace, labels = {}, ip }: Peer, own?: string): boolean {
  if (!peers) return true
  return peers.some(({ podSelector, namespaceSelector, ipBlock }) => {
    if (ipBlock) return isIn(ip, ipBlock.cidr) && !(ipBlock.except ?? []).some((cidr) => isIn(ip, cidr))
    if (!namespace) return false
    const inNamespace = namespaceSelector ? selects(namespaceSelector, { 'kubernetes.io/metadata.name': namespace }) : namespace === own
    return inNamespace && selects(podSelector ?? {}, labels)
  })
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Record<string, string>): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key]
      if (operator === 'In') return value !== undefined && values.includes(value)
      if (operator === 'NotIn') return value === undefined || !values.includes(value)
      if (operator === 'Exists') return value !== undefined
      if (operator === 'DoesNotExist') return value === undefined
      throw new Error(`${operator} is not an operator of a label selector`)
    })
  )
}

function isIn(ip: string, cidr: string): boolean {
  const [base = '', length = '32'] = cidr.split('/')
  const size = 2 ** (32 - Number(length))
  return Math.floor(toNumber(ip) / size) === Math.floor(toNumber(base) / size)
}

function toNumber(ip: string): number {
  return ip.split('.').reduce((number, byte) => number * 256 + Number(byte), 0)
}
