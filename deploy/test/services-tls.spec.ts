import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { describeRendered, renderedOverlay } from './rendered-overlay.js'

const SERVICES = DEPLOYMENTS.flatMap(({ name, port, parts = [] }) =>
  [name, ...parts.map((part) => part.name)].map((each) => ({ name: each, port })),
)

describeRendered.each([
  ['production', 'https'],
  ['dev', 'http'],
])('the overlay %s', (overlay, scheme) => {
  const documents = renderedOverlay(overlay)
  const named = (kind: string, name: string) => documents.find((document) => document.kind === kind && document.metadata.name === name)
  const deployed = SERVICES.flatMap(({ name, port }) => {
    const pod = named('Deployment', name)?.spec.template.spec
    return pod ? [{ name, port, pod, container: pod.containers[0] }] : []
  })
  const variablesOf = ({ env }: { env: { name: string; value: string }[] }) => new Map(env.map(({ name, value }) => [name, value]))

  it(`has every service serve ${scheme}, with a certificate of its own`, () => {
    expect(deployed.length).toBeGreaterThan(2)
    for (const { name, pod, container } of deployed) {
      const files = ['TLS_CERT_FILE', 'TLS_KEY_FILE'].map((variable) => variablesOf(container).get(variable))
      const volume = pod.volumes.find((each: { name: string }) => each.name === 'tls')
      const mount = container.volumeMounts.find((each: { name: string }) => each.name === 'tls')
      if (scheme === 'http') expect([name, ...files, volume, mount]).toEqual([name, undefined, undefined, undefined, undefined])
      else {
        expect([name, ...files]).toEqual([name, '/etc/trestle/tls/tls.crt', '/etc/trestle/tls/tls.key'])
        expect([volume.secret, mount.mountPath, mount.readOnly]).toEqual([{ secretName: `${name}-tls` }, '/etc/trestle/tls', true])
      }
    }
  })

  it('has the gateway verify each Service by its own name where it serves HTTPS', () => {
    const policies = documents.filter(({ kind }) => kind === 'BackendTLSPolicy').map(({ spec }) => spec)
    const expected = deployed.map(({ name }) => ({
      targetRefs: [{ group: '', kind: 'Service', name, sectionName: 'http' }],
      validation: { hostname: name, caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'services-ca' }] },
    }))
    expect(policies).toHaveLength(scheme === 'https' ? expected.length : 0)
    if (scheme === 'https') expect(policies).toEqual(expect.arrayContaining(expected))
  })

  it('has the console call services as they are served, and verify them', () => {
    const console = named('Deployment', 'console')?.spec.template.spec.containers[0]
    const map = named('ConfigMap', console.envFrom[0].configMapRef.name)?.data ?? {}
    const urls = Object.entries(map).flatMap(([name, url]) => (name.endsWith('_URL') ? [url] : []))
    const served = deployed.filter(({ name }) => name !== 'console').map(({ name, port }) => `${scheme}://${name}:${port}`)
    expect(urls.sort()).toEqual(served.sort())
    expect(variablesOf(console).get('UPSTREAM_CA_FILE')).toBe(scheme === 'https' ? '/etc/trestle/tls/ca.crt' : undefined)
  })
})
