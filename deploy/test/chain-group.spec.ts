import { mkdirSync, writeFileSync } from 'node:fs'
import { chainNamed } from '@trestle/contracts/chains/chains'
import { parse } from 'yaml'
import { allows, type NetworkPolicy, type Peer } from './network-policies.js'
import { type Document, describeRendered, renderedFolder } from './rendered-overlay.js'
import { read, root, variablesOf } from './repository.js'

const MODELS: Record<string, string> = {
  Deployment: 'kubernetes-models/apps/v1/Deployment',
  HorizontalPodAutoscaler: 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler',
  NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy',
  PodDisruptionBudget: 'kubernetes-models/policy/v1/PodDisruptionBudget',
  Service: 'kubernetes-models/v1/Service',
}
const CHAINS = ['eth', 'etc']

const known = variablesOf('eth-rpc')

/** As the group has it, or with the name of one of its chains in front. */
function isKnown(name: string): boolean {
  return known.includes(name) || CHAINS.some((chain) => known.includes(name.replace(`${chain.toUpperCase()}_`, '')))
}

describe('many chains in one container of compose', () => {
  const tags = ['!override']
  const customTags = tags.map((tag) => ({ tag, collection: 'seq' as const }))
  const { services } = parse(read('deploy/compose/chain-group.yml'), { customTags })
  const { services: usual } = parse(read('docker-compose.yml'), { merge: true })
  const { evm } = services

  it('takes the place of the containers of single chains, by their names', () => {
    expect(Object.keys(services).toSorted()).toEqual([...CHAINS, 'evm'].toSorted())
    for (const chain of CHAINS) expect(services[chain].profiles).toEqual(['single-chains'])
    expect([evm.profiles, evm.networks.default.aliases]).toEqual([CHAINS, CHAINS])
  })

  it('sets only variables that eth-rpc reads, and what each chain has by itself', () => {
    const { environment } = evm
    expect(Object.keys(environment).filter((name) => !isKnown(name))).toEqual([])
    const ofOneChain = ['BASE_PATH', 'CHAIN', 'CHAIN_ID', 'DATABASE_URL', 'NATS_NKEY_SEED', 'NETWORK_ID', 'PORT', 'UPSTREAMS', 'WORKERS']
    const shared = Object.keys(usual.eth.environment).filter((name) => !ofOneChain.includes(name))
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(shared))
    for (const chain of CHAINS)
      for (const name of ['UPSTREAMS_FILE', 'DATABASE_URL', 'NATS_NKEY_SEED'])
        expect(environment).toHaveProperty(`${chain.toUpperCase()}_${name}`)
  })

  it('has no more rights than the container of one chain', () => {
    for (const member of ['read_only', 'tmpfs', 'cap_drop', 'security_opt', 'restart', 'stop_grace_period', 'healthcheck', 'extra_hosts'])
      expect([member, evm[member]]).toEqual([member, usual.eth[member]])
    expect(evm.volumes.filter((volume: string) => !volume.endsWith(':ro'))).toEqual([])
    expect(evm.ports).toBeUndefined()
  })
})

describeRendered('many chains in one Deployment', () => {
  const documents = renderedFolder('deploy/kubernetes/examples/chain-group')
  const of = (kind: string) => documents.filter((document) => document.kind === kind)
  const named = (kind: string, name: string) => of(kind).find(({ metadata }) => metadata.name === name)
  const pod = named('Deployment', 'evm')?.spec.template
  const [container] = pod?.spec.containers ?? []

  it.each(Object.keys(MODELS))('has valid objects of kind %s', async (kind) => {
    const { [kind]: Model } = await import(MODELS[kind] ?? '')
    expect(of(kind).length).toBeGreaterThan(0)
    for (const document of of(kind)) expect(() => new Model(document).validate()).not.toThrow()
  })

  it('runs no Deployment, autoscaler or disruption budget of a single chain', () => {
    for (const kind of ['Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'])
      expect(of(kind).map(({ metadata }) => metadata.name)).toEqual(['accounts', 'evm'])
    expect(of('Job').map(({ metadata }) => metadata.name)).toEqual(['migrate-accounts', 'migrate-etc', 'migrate-eth'])
  })

  it('leads the Service of each chain to its port in the pods of the group', () => {
    const open = container.ports.map(({ containerPort }: { containerPort: number }) => containerPort)
    for (const name of CHAINS) {
      const { port = 0 } = chainNamed(name) ?? {}
      expect(named('Service', name)?.spec).toMatchObject({
        selector: { 'app.kubernetes.io/name': 'evm' },
        ports: [
          { name: 'http', port, targetPort: port },
          { name: 'internal', port: port + 1000, targetPort: port + 1000 },
        ],
      })
      expect(open).toEqual(expect.arrayContaining([port, port + 1000]))
    }
    expect(pod?.metadata.labels).toMatchObject({ 'app.kubernetes.io/name': 'evm' })
  })

  it('sets only variables that eth-rpc reads, of the group or of one chain, and gets the secrets of each from its own', () => {
    const maps = container.envFrom.map(
      ({ configMapRef }: { configMapRef: { name: string } }) => named('ConfigMap', configMapRef.name)?.data,
    )
    const given: Record<string, string> = Object.assign({}, ...maps)
    const names: string[] = [...Object.keys(given), ...container.env.map(({ name }: { name: string }) => name)]
    expect(names.filter((name) => !isKnown(name))).toEqual([])
    expect(given.CHAINS?.split(',')).toEqual(CHAINS)
    for (const { name, valueFrom } of container.env)
      if (valueFrom) expect(name).toBe(`${valueFrom.secretKeyRef.name.toUpperCase()}_${valueFrom.secretKeyRef.key}`)
  })

  it('mounts the upstreams of each chain as a folder, which changes with its Secret', () => {
    for (const chain of CHAINS) {
      const file = container.env.find(({ name }: { name: string }) => name === `${chain.toUpperCase()}_UPSTREAMS_FILE`).value
      const mount = container.volumeMounts.find(({ mountPath }: { mountPath: string }) => file === `${mountPath}/upstreams.yaml`)
      expect(mount).toEqual({ name: expect.any(String), mountPath: expect.any(String), readOnly: true })
      expect(pod?.spec.volumes).toContainEqual(
        expect.objectContaining({ name: mount.name, secret: expect.objectContaining({ secretName: chain }) }),
      )
    }
  })

  it('lets the gateway call each chain, monitoring each internal port, and nobody else either', () => {
    const policies = of('NetworkPolicy') as unknown as NetworkPolicy[]
    const evm: Peer = { name: 'evm', namespace: 'trestle', labels: pod?.metadata.labels, ip: '10.1.0.1', ports: { internal: 5000 } }
    const callers = ['gateway', 'monitoring', 'nats', 'default', 'trestle'].map((namespace) => ({
      ...{ name: namespace, namespace, labels: {}, ip: '10.2.0.1' },
    }))
    const allowed = (port: number) => callers.filter((caller) => allows(policies, caller, evm, port)).map(({ name }) => name)
    expect([4020, 4021].map(allowed)).toEqual([['gateway'], ['gateway']])
    expect([5000, 5020, 5021].map(allowed)).toEqual([['monitoring'], ['monitoring'], ['monitoring']])
    expect([22, 4000, 4022].map(allowed)).toEqual([[], [], []])
    const nodes: Peer = { name: 'nodes', namespace: 'chain-nodes', labels: {}, ip: '10.3.0.1' }
    expect(allows(policies, evm, nodes, 8545)).toBe(true)
  })
})

describeRendered('the nodes of a chain from a Secret', () => {
  const folder = 'deploy/.data/upstreams-file'
  const bases = ['resources: [../../kubernetes/overlays/production]', 'components: [../../kubernetes/components/upstreams-file]']
  mkdirSync(root + folder, { recursive: true })
  writeFileSync(`${root}${folder}/kustomization.yaml`, ['kind: Kustomization', ...bases].join('\n'))
  const deployments = renderedFolder(folder).filter(({ kind }) => kind === 'Deployment')

  it.each(CHAINS)('are read from a mounted file by %s, instead of a variable', async (chain) => {
    const { spec } = deployments.find(({ metadata }) => metadata.name === chain) ?? ({} as Document)
    const { containers, volumes } = spec.template.spec
    const names = containers[0].env.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['DATABASE_URL', 'NATS_NKEY_SEED', 'UPSTREAMS_FILE', 'WORKERS', 'TLS_CERT_FILE']))
    expect(names).not.toContain('UPSTREAMS')
    expect(containers[0].env.find(({ name }: { name: string }) => name === 'UPSTREAMS_FILE').value).toBe(
      `/etc/trestle/upstreams/${chain}/upstreams.yaml`,
    )
    expect(containers[0].volumeMounts).toContainEqual({
      ...{ name: 'upstreams', mountPath: `/etc/trestle/upstreams/${chain}`, readOnly: true },
    })
    const items = [{ key: 'upstreams.yaml', path: 'upstreams.yaml' }]
    expect(volumes).toContainEqual({ name: 'upstreams', secret: { secretName: chain, items } })
  })

  it('leaves all others as they are', () => {
    const others = deployments.filter(({ metadata }) => !CHAINS.includes(metadata.name))
    expect(JSON.stringify(others)).not.toContain('UPSTREAMS_FILE')
  })
})
