import { parseAllDocuments } from 'yaml'
import { read } from './repository.js'

const MODELS: Record<string, string> = {
  LimitRange: 'kubernetes-models/v1/LimitRange',
  Namespace: 'kubernetes-models/v1/Namespace',
  NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy',
  ResourceQuota: 'kubernetes-models/v1/ResourceQuota',
  Role: 'kubernetes-models/rbac.authorization.k8s.io/v1/Role',
  RoleBinding: 'kubernetes-models/rbac.authorization.k8s.io/v1/RoleBinding',
}

describe('the namespace of machines', () => {
  const files = ['namespace', 'rbac', 'api-rbac', 'quota', 'network-policy'].map((name) => `deploy/kubernetes/machines/${name}.yaml`)
  const documents = files.flatMap((file) => parseAllDocuments(read(file)).map((document) => document.toJS() as Document))

  it.each(documents.map((document) => [document.kind, document] as const))('has a valid %s', async (kind, document) => {
    const { [kind]: Model } = await import(MODELS[kind] ?? `no model of ${kind}`)
    expect(() => new Model(document).validate()).not.toThrow()
  })

  it('gives its driver no right that is not of this namespace, and none to list Secrets', () => {
    expect(documents.filter(({ kind }) => kind.startsWith('Cluster'))).toEqual([])
    const rules = documents.find(({ kind }) => kind === 'Role')?.rules ?? []
    expect(rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs])).not.toContain('*')
    const ofSecrets = rules.filter(({ resources }) => resources.includes('secrets')).flatMap(({ verbs }) => verbs)
    expect(ofSecrets.sort()).toEqual(['create', 'delete', 'get', 'patch'])
  })

  it('lets the API of nodes, which callers reach, only read logs', () => {
    const roles = documents.filter(({ kind }) => kind === 'Role')
    expect(roles.find(({ metadata }) => metadata.name === 'nodes-api')?.rules).toEqual([
      { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
    ])
    const accounts = read('deploy/kubernetes/base/nodes/deployments.yaml').matchAll(/^ {6}serviceAccountName: (\S+)$/gm)
    expect([...accounts].map(([, name]) => name)).toEqual(['nodes-api', 'nodes'])
  })

  it('bounds what all machines take together, and lets none be reached past the gateway', () => {
    const quota = documents.find(({ kind }) => kind === 'ResourceQuota')?.spec
    expect(quota).toMatchObject({
      hard: { pods: '100', 'requests.memory': '400Gi', 'services.loadbalancers': '0', 'services.nodeports': '0' },
    })
    expect(documents.some(({ kind }) => kind === 'LimitRange')).toBe(true)
  })

  it('lets no privileged pod in, and nothing through that no policy allows', () => {
    const [namespace] = documents
    expect(namespace?.metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' })
    expect(documents.at(-1)?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  })

  it('is named as the driver and the policies of those who call machines name it', () => {
    const [namespace] = documents
    expect(read('apps/nodes/src/env.ts')).toContain(`.default('${namespace?.metadata.name}')`)
    expect(read('deploy/kubernetes/machines/kustomization.yaml')).toContain(`namespace: ${namespace?.metadata.name}`)
    expect(read('deploy/kubernetes/base/nodes/network-policies.yaml')).toContain(
      `kubernetes.io/metadata.name: ${namespace?.metadata.name} }`,
    )
  })
})

interface Document {
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  spec?: object
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[]
}
