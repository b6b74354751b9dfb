import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { type Document, describeRendered, documentsOf, renderedOverlay } from './rendered-overlay.js'
import { root, variablesOf } from './repository.js'

const MODELS: Record<string, string> = {
  BackendTLSPolicy: '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/BackendTLSPolicy',
  ConfigMap: 'kubernetes-models/v1/ConfigMap',
  Deployment: 'kubernetes-models/apps/v1/Deployment',
  HTTPRoute: '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute',
  HorizontalPodAutoscaler: 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler',
  Ingress: 'kubernetes-models/networking.k8s.io/v1/Ingress',
  Job: 'kubernetes-models/batch/v1/Job',
  Namespace: 'kubernetes-models/v1/Namespace',
  NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy',
  PodDisruptionBudget: 'kubernetes-models/policy/v1/PodDisruptionBudget',
  Secret: 'kubernetes-models/v1/Secret',
  Service: 'kubernetes-models/v1/Service',
  ServiceAccount: 'kubernetes-models/v1/ServiceAccount',
}
const overlays = readdirSync(`${root}deploy/kubernetes/overlays`)
const CHECK_TYPES = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext']
const PORTS = new Map(
  DEPLOYMENTS.flatMap(({ name, port, parts = [] }) => [name, ...parts.map((part) => part.name)].map((each) => [each, port])),
)
const PARTS = DEPLOYMENTS.flatMap(({ parts = [] }) => parts.map(({ name }) => name))
// The Deployments with one replica.
const ROLES: Record<string, string> = { 'btc-connect': 'indexer', staking: 'worker', nodes: 'controller' }

describe('the files', () => {
  const files = readdirSync(`${root}deploy/kubernetes`, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))

  it.each(files)('%s holds nothing but YAML objects with a kind', (path) => {
    const documents = documentsOf(readFileSync(`${root}deploy/kubernetes/${path}`, 'utf8'))
    expect(documents.filter(({ kind }) => typeof kind !== 'string')).toEqual([])
  })
})

describeRendered.each(overlays)('the overlay %s', (overlay) => {
  const documents = renderedOverlay(overlay)
  const of = (kind: string) => documents.filter((document) => document.kind === kind)
  const named = (kind: string, name: string) => of(kind).find(({ metadata }) => metadata.name === name)
  const workloads = [...of('Deployment'), ...of('Job')]
  const ours = of('Deployment').filter(({ spec }) => appOf(spec) !== undefined)
  const services = ours.filter(({ metadata }) => PORTS.has(metadata.name))
  const lone = ours.filter((deployment) => !services.includes(deployment))
  const mapsOf = ({ spec }: Document) =>
    spec.template.spec.containers[0].envFrom.map(({ configMapRef }: { configMapRef: { name: string } }) =>
      named('ConfigMap', configMapRef.name),
    )

  it.each(documents.map((document) => [`${document.kind} ${document.metadata.name}`, document] as const))(
    'has a valid %s',
    async (_, document) => {
      const { [document.kind]: Model } = await import(MODELS[document.kind] ?? `no model of ${document.kind}`)
      expect(() => new Model(document).validate()).not.toThrow()
    },
  )

  it('has no member that Kubernetes does not know', () => {
    // The models validate known members only; their types say what is known.
    const imports = Object.entries(MODELS).map(([kind, module]) => `import type { I${kind} } from '${module}'`)
    const file = `${root}deploy/.data/${overlay}.ts`
    mkdirSync(`${root}deploy/.data`, { recursive: true })
    writeFileSync(
      file,
      [...imports, ...documents.map((document) => `void (${JSON.stringify(document, null, 2)} satisfies I${document.kind})`)].join('\n'),
    )
    const { stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, ...CHECK_TYPES, file], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  it('puts everything into a namespace of its own that lets no privileged pod in', () => {
    const [namespace] = of('Namespace')
    expect(namespace?.metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' })
    expect(documents.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== namespace?.metadata.name)).toEqual([])
  })

  it.each(workloads.map((workload) => [workload.metadata.name, workload] as const))('runs %s without rights', (_, { spec }) => {
    const pod = spec.template.spec
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
    for (const { securityContext, resources } of pod.containers) {
      expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      })
    }
  })

  it.each(workloads.map((workload) => [workload.metadata.name, workload] as const))('pins the image of %s', (_, { spec }) => {
    for (const { image } of spec.template.spec.containers) expect(image).toMatch(/:(?!latest)[\w.-]+$/)
  })

  it.each(ours.map((service) => [service.metadata.name, service] as const))(
    'asks %s on its internal port whether it is well',
    (_, { spec }) => {
      const [container] = spec.template.spec.containers
      expect([container.startupProbe, container.livenessProbe, container.readinessProbe].map((probe) => probe.httpGet)).toEqual([
        { path: '/livez', port: 'internal' },
        { path: '/livez', port: 'internal' },
        { path: '/readyz', port: 'internal' },
      ])
    },
  )

  it.each(ours.map((service) => [service.metadata.name, service] as const))('gives %s time to stop', (_, { spec }) => {
    // packages/runtime: the delay, the deadline of requests, three phases.
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(5 + 20 + 3 * 3)
  })

  it.each(services.map((service) => [service.metadata.name, service] as const))(
    'listens, and is reached, as %s on the ports of the table',
    (name, service) => {
      const port = PORTS.get(name) ?? 0
      const [{ ports, env }] = service.spec.template.spec.containers
      expect(ports).toEqual([
        { name: 'http', containerPort: port },
        { name: 'internal', containerPort: port + 1000 },
      ])
      const given = Object.fromEntries(env.map((variable: { name: string; value: string }) => [variable.name, variable.value]))
      expect(Object.assign(given, ...mapsOf(service).map(({ data }: Document) => data))).toMatchObject({
        PORT: String(port),
        INTERNAL_PORT: String(port + 1000),
      })
      expect(named('Service', name)?.spec.ports.map(({ port: number }: { port: number }) => number)).toEqual([port, port + 1000])
    },
  )

  it.each(ours.map((service) => [service.metadata.name, service] as const))(
    'tells %s only what it reads, from what is there',
    (_, service) => {
      const names = [
        ...service.spec.template.spec.containers[0].env.map((variable: { name: string }) => variable.name),
        ...mapsOf(service).flatMap((map?: Document) => Object.keys(map?.data ?? { 'a map that is not there': '' })),
      ]
      expect(names.filter((variable) => !variablesOf(appOf(service.spec) ?? '').includes(variable))).toEqual([])
      expect(names.filter((variable, index) => names.indexOf(variable) !== index)).toEqual([])
    },
  )

  it('runs single-replica workers beside the API, and scales only the API', () => {
    const divided = services.flatMap(({ metadata: { name }, spec }) => {
      const role = ROLES[appOf(spec) ?? '']
      return role && !PARTS.includes(name) ? [{ name, role }] : []
    })
    expect(divided.length).toBeGreaterThan(0)
    const roles = Object.fromEntries(ours.map(({ metadata, spec }) => [metadata.name, roleOf(spec)]))
    expect(roles).toMatchObject(
      Object.fromEntries(divided.flatMap(({ name, role }) => [[name, 'api'] as const, [`${name}-${role}`, role] as const])),
    )
    expect(lone.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual(
      divided.map(({ name, role }) => [`${name}-${role}`, 1]),
    )
  })

  it.each(ours.map((service) => [service.metadata.name, service] as const))('lets %s write only where nothing is kept', (_, { spec }) => {
    const { volumes, containers } = spec.template.spec
    const [{ volumeMounts }] = containers
    const kinds = volumes.flatMap(({ name, ...kind }: { name: string }) => Object.keys(kind))
    expect(kinds.filter((kind: string) => !['emptyDir', 'secret', 'configMap', 'projected'].includes(kind))).toEqual([])
    for (const { name, readOnly } of volumeMounts)
      expect([name, readOnly ?? false]).toEqual([name, !('emptyDir' in volumes.find((volume: { name: string }) => volume.name === name))])
  })

  it.each(of('Job').map((job) => [job.metadata.name, job] as const))(
    'has %s bring the schema of one deployment up to date',
    (name, { spec }) => {
      const [{ command, env }] = spec.template.spec.containers
      const service = services.find(({ metadata }) => name === `migrate-${metadata.name}`)
      const [deployment, app] = [service?.metadata.name, appOf(service?.spec)]
      expect(command.at(-1)).toBe(deployment === app ? app : `${app}:${deployment}`)
      const url = service?.spec.template.spec.containers[0].env.find((variable: { name: string }) => variable.name === 'DATABASE_URL')
      expect(url.valueFrom.secretKeyRef.name).toMatch(new RegExp(`^${deployment}(-[a-z0-9]{10})?$`))
      expect(env[0]).toEqual({ ...url, name: `${deployment?.toUpperCase()}_DATABASE_URL` })
    },
  )

  it('gives every pod that has a database the certificate that Postgres is verified by, in production', () => {
    const wrong = workloads.filter(({ spec }) => {
      const [{ env, volumeMounts = [] }] = spec.template.spec.containers
      const hasDatabase = (env ?? []).some(({ name }: { name: string }) => name.endsWith('DATABASE_URL'))
      const isMounted = volumeMounts.some(({ mountPath }: { mountPath: string }) => mountPath === '/etc/trestle/postgres')
      return isMounted !== (hasDatabase && overlay === 'production')
    })
    expect(wrong.map(({ metadata }) => metadata.name)).toEqual([])
  })

  it('labels every pod of ours, for policies that admit only those', () => {
    const labels = [...ours, ...of('Job')].map(({ spec }) => spec.template.metadata.labels['app.kubernetes.io/part-of'])
    expect(new Set(labels)).toEqual(new Set(['trestle']))
  })

  it('connects every Service to the pods of one Deployment, by ports it has', () => {
    for (const { metadata, spec } of of('Service')) {
      const targets = of('Deployment').filter((deployment) => covers(spec.selector, deployment.spec.template.metadata.labels))
      const ports = targets[0]?.spec.template.spec.containers[0].ports.map(({ name }: { name: string }) => name) ?? []
      expect([metadata.name, targets.length]).toEqual([metadata.name, 1])
      expect(ports).toEqual(expect.arrayContaining(spec.ports.map(({ targetPort }: { targetPort: string }) => targetPort)))
    }
  })

  it('scales and protects every service that it runs', () => {
    const names = services.map(({ metadata }) => metadata.name)
    expect(of('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name)).toEqual(names)
    const protectedBy = of('PodDisruptionBudget').map(({ spec }) =>
      services.filter((service) => covers(spec.selector.matchLabels, service.spec.template.metadata.labels)),
    )
    expect(protectedBy.map(([service]) => service?.metadata.name)).toEqual(names)
  })

  it('routes only to Services and ports that are there', () => {
    const route = of('HTTPRoute').flatMap(({ spec }) => spec.rules.flatMap(({ backendRefs }: { backendRefs: object[] }) => backendRefs))
    const ingress = of('Ingress').flatMap(({ spec }) => spec.rules[0].http.paths)
    const backends = [...route, ...ingress.map(({ backend }) => ({ name: backend.service.name, port: backend.service.port.number }))]
    expect(backends.length).toBeGreaterThan(0)
    for (const { name, port } of backends) {
      const found = named('Service', name)?.spec.ports.find((candidate: { port: number }) => candidate.port === port)
      expect([name, found?.name]).toEqual([name, 'http'])
    }
  })

  it('denies what no policy allows', () => {
    expect(named('NetworkPolicy', 'default-deny')?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  })

  it('names every pod that a policy is for', () => {
    const labels = workloads.map(({ spec }) => spec.template.metadata.labels)
    const idle = of('NetworkPolicy').filter(({ spec }) => !labels.some((each) => covers(spec.podSelector.matchLabels ?? {}, each)))
    expect(idle).toEqual([])
  })

  it('carries no annotation of one ingress controller', () => {
    expect(documents.filter(({ metadata }) => metadata.annotations)).toEqual([])
  })
})

/** Of a Deployment of ours. */
function appOf(spec: Document['spec']): string | undefined {
  return /(?:^|\/)trestle\/([\w-]+):/.exec(spec?.template.spec.containers[0].image)?.[1]
}

function roleOf(spec: Document['spec']): string | undefined {
  return spec.template.spec.containers[0].env.find(({ name }: { name: string }) => name === 'ROLE')?.value
}

function covers(selector: Record<string, string>, labels: Record<string, string>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value)
}
