import { stringify } from 'yaml'

/** A Service, and the Deployment of the same name. */
interface Service {
  readonly name: string
  readonly app: string
}

const FOLDER = '/etc/trestle/tls'
const AUTHORITY = 'services-ca'

/** The component that has the API served over HTTPS: the Secret `<name>-tls` of each Deployment has its certificate. */
export function servicesTls(services: readonly Service[]) {
  return {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    resources: ['policies.yaml'],
    patches: services.map((service) => ({ target: { kind: 'Deployment', name: service.name }, patch: stringify(patchOf(service)) })),
  }
}

/** How a gateway verifies each Service (Gateway API 1.4). */
export function backendTlsPolicies(services: readonly Service[]) {
  return services.map(({ name }) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'BackendTLSPolicy',
    metadata: { name },
    spec: {
      targetRefs: [{ group: '', kind: 'Service', name, sectionName: 'http' }],
      validation: { hostname: name, caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: AUTHORITY }] },
    },
  }))
}

function patchOf({ name, app }: Service) {
  const added = (path: string, value: object) => ({ op: 'add', path: `/spec/template/spec/${path}/-`, value })
  const variables = {
    TLS_CERT_FILE: `${FOLDER}/tls.crt`,
    TLS_KEY_FILE: `${FOLDER}/tls.key`,
    // It calls the services itself.
    ...(app === 'console' && { UPSTREAM_CA_FILE: `${FOLDER}/ca.crt` }),
  }
  return [
    added('volumes', { name: 'tls', secret: { secretName: `${name}-tls` } }),
    added('containers/0/volumeMounts', { name: 'tls', mountPath: FOLDER, readOnly: true }),
    ...Object.entries(variables).map(([variable, value]) => added('containers/0/env', { name: variable, value })),
  ]
}
