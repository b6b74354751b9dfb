import { allows, type NetworkPolicy, type Peer } from './network-policies.js'
import { describeRendered, renderedOverlay } from './rendered-overlay.js'

describe('the evaluation of network policies', () => {
  const policy = (spec: NetworkPolicy['spec']): NetworkPolicy => ({ metadata: { name: 'p', namespace: 'a' }, spec })
  const pod = (name: string, namespace = 'a'): Peer => ({ name, namespace, labels: { app: name }, ip: '10.0.0.1', ports: { web: 80 } })
  const selected = { podSelector: { matchLabels: { app: 'x' } } }
  const from = (...peers: object[]) => policy({ ...selected, policyTypes: ['Ingress'], ingress: [{ from: peers }] })

  it('allows everything to and from a pod that no policy selects', () => {
    expect(allows([policy({ ...selected, policyTypes: ['Ingress', 'Egress'] })], pod('y'), pod('z'), 80)).toBe(true)
  })

  it('denies what no rule of any policy of the pod allows', () => {
    const denied = policy({ podSelector: {}, policyTypes: ['Ingress'] })
    expect(allows([denied], pod('y'), pod('x'), 80)).toBe(false)
    expect(allows([denied, from({ podSelector: {} })], pod('y'), pod('x'), 80)).toBe(true)
  })

  it('takes a pod selector for the own namespace, and both selectors together', () => {
    expect(allows([from({ podSelector: {} })], pod('y', 'b'), pod('x'), 80)).toBe(false)
    const both = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'b' } }, podSelector: { matchLabels: { app: 'y' } } }
    expect(allows([from(both)], pod('y', 'b'), pod('x'), 80)).toBe(true)
    expect(allows([from(both)], pod('z', 'b'), pod('x'), 80)).toBe(false)
    expect(allows([from(both)], pod('y', 'a'), pod('x'), 80)).toBe(false)
  })

  it('finds a named port at the destination, and a range', () => {
    const ports = (...of: { port: number | string; endPort?: number }[]) =>
      policy({ ...selected, policyTypes: ['Ingress'], ingress: [{ ports: of }] })
    expect([80, 81].map((port) => allows([ports({ port: 'web' })], pod('y'), pod('x'), port))).toEqual([true, false])
    expect([79, 80, 90, 91].map((port) => allows([ports({ port: 80, endPort: 90 })], pod('y'), pod('x'), port))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('leaves the exceptions out of an IP block', () => {
    const block = { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '224.0.0.0/3'] } }
    const to = policy({ ...selected, policyTypes: ['Egress'], egress: [{ to: [block] }] })
    const outside = (ip: string): Peer => ({ name: ip, ip })
    expect(
      ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0', '239.1.1.1'].map((ip) => allows([to], pod('x'), outside(ip), 443)),
    ).toEqual([true, false, false, true, false])
  })
})

describeRendered('the overlay production', () => {
  const documents = renderedOverlay('production')
  const policies = documents.filter((document) => document.kind === 'NetworkPolicy') as unknown as NetworkPolicy[]
  const pods: Peer[] = documents
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      namespace: 'trestle',
      labels: spec.template.metadata.labels,
      ip: '10.1.0.1',
      ports: Object.fromEntries(
        (spec.template.spec.containers[0].ports ?? []).map((port: { name: string; containerPort: number }) => [
          port.name,
          port.containerPort,
        ]),
      ),
    }))
  const elsewhere = (namespace: string): Peer => ({ name: namespace, namespace, labels: {}, ip: '10.2.0.1' })
  const outside = (name: string, ip: string): Peer => ({ name, ip })
  const stranger: Peer = { ...elsewhere('trestle'), name: 'a stranger among us' }
  const outsiders = ['gateway', 'monitoring', 'nats', 'postgres', 'chain-nodes', 'validators', 'trestle-machines', 'default'].map(elsewhere)
  const everyone = [...pods, ...outsiders, stranger, outside('the Internet', '198.51.100.1')]

  const jobs = pods.map(({ name }) => name).filter((name) => name.startsWith('migrate-'))
  const apis = ['accounts', 'bch', 'btc', 'etc', 'eth', 'ltc', 'nodes', 'nodes-gateway', 'staking']
  const workers = ['bch-indexer', 'btc-indexer', 'ltc-indexer', 'nodes-controller', 'staking-worker']
  const services = [...apis, ...workers]
  const chains = ['bch', 'bch-indexer', 'btc', 'btc-indexer', 'etc', 'eth', 'ltc', 'ltc-indexer']

  it('is what the table below is about', () => {
    expect(
      pods
        .map(({ name }) => name)
        .filter((name) => !jobs.includes(name))
        .toSorted(),
    ).toEqual([...services, 'console'].toSorted())
    expect(jobs.length).toBeGreaterThan(0)
  })

  it.each([
    ...[...apis, 'console'].map((name) => [name, 'http', name === 'console' ? ['gateway'] : ['gateway', 'console']] as const),
    ...[...services, 'console'].map(
      (name) =>
        [name, 'internal', name === 'accounts' ? ['monitoring', ...services.filter((each) => each !== name)] : ['monitoring']] as const,
    ),
  ])('lets nobody call %s at its port %s but those of the table', (name, port, callers) => {
    const destination = pods.find((pod) => pod.name === name)
    if (!destination) throw new Error(`there is no pod of ${name}`)
    expect(callersOf(destination, destination.ports?.[port] ?? 0)).toEqual(callers.toSorted())
  })

  it.each([
    ['nats', elsewhere('nats'), 4222, services],
    ['Postgres', elsewhere('postgres'), 5432, [...services, ...jobs]],
    ['the nodes of chains', elsewhere('chain-nodes'), 8332, chains],
    ["validators' nodes", elsewhere('validators'), 5052, ['staking', 'staking-worker']],
    ['machines', elsewhere('trestle-machines'), 18332, ['nodes-controller', 'nodes-gateway']],
    ['the API server', outside('the API server', '10.0.0.1'), 6443, ['nodes', 'nodes-controller']],
    ['the Internet', outside('the Internet', '198.51.100.1'), 443, ['accounts', 'etc', 'eth', 'staking', 'staking-worker']],
    ['mail servers', outside('mail', '198.51.100.1'), 587, ['accounts']],
    ['the metadata service of a cloud', outside('metadata', '169.254.169.254'), 80, []],
    ['the metadata service by TLS', outside('metadata', '169.254.169.254'), 443, []],
    ['traces', elsewhere('monitoring'), 4318, [...services, 'console', ...jobs]],
    ['other namespaces', elsewhere('default'), 80, []],
    ['other ports of the Internet', outside('the Internet', '198.51.100.1'), 22, []],
  ])('lets nobody of ours call %s but those of the table', (_, destination, port, callers) => {
    expect(
      pods
        .filter((pod) => allows(policies, pod, destination, port))
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(callers.toSorted())
  })

  function callersOf(destination: Peer, port: number): string[] {
    return everyone
      .filter((peer) => peer.name !== destination.name && allows(policies, peer, destination, port))
      .map(({ name }) => name)
      .toSorted()
  }
})
