import fc from 'fast-check'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { Blueprint } from '../../catalogue/blueprint.js'
import { builtInCatalogue } from '../../catalogue/catalogue.js'
import type { DesiredMachine } from '../driver.js'
import { labelValue, machineName } from './labels.js'
import { manifestsOf } from './manifests.js'
import type { KubernetesObject } from './objects.js'
import { containerMissing } from './pod.js'

const MODELS = { ConfigMap, PersistentVolumeClaim, Secret, Service, StatefulSet, NetworkPolicy } as unknown as Record<
  string,
  new (
    object: object,
  ) => { validate: () => void }
>
const DIGEST = `sha256:${'a'.repeat(64)}`
const SURROUNDINGS = { installation: 'testing', gatewayNamespace: 'trestle', storageClass: 'fast' }
const catalogue = builtInCatalogue('kubernetes').map((each) =>
  Blueprint.parse({
    ...each,
    container: { image: 'example.com/node', digest: DIGEST },
    ...(each.chain === 'eth' && { consensus: { image: 'sigp/lighthouse', digest: DIGEST } }),
  }),
)
const named = catalogue.map((blueprint) => [`${blueprint.chain} ${blueprint.performance}`, blueprint] as const)

describe(manifestsOf, () => {
  it.each(named)('makes valid Kubernetes objects of %s', (_, blueprint) => {
    expect(containerMissing(blueprint)).toBeUndefined()
    for (const object of allOf({ blueprint })) new (MODELS[object.kind] as (typeof MODELS)[string])(object).validate()
  })

  it.each(named)('restricts the containers of %s', (_, blueprint) => {
    const spec = podSpec({ blueprint })
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(Object.keys(spec)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^host(Network|PID|IPC|Users)$/)]))
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(600)
    expect(spec.containers).toHaveLength(blueprint.chain === 'eth' ? 2 : 1)
    for (const container of spec.containers) {
      expect(container.image).toMatch(/@sha256:[0-9a-f]{64}$/)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.ports?.flatMap((port: object) => Object.keys(port)) ?? []).not.toContain('hostPort')
    }
    for (const volume of spec.volumes) expect(Object.keys(volume)).not.toContain('hostPath')
  })

  it.each(named)('probes whether %s answers, not whether it is synced, and never the socket alone', (_, blueprint) => {
    const [{ startupProbe, livenessProbe, readinessProbe }] = podSpec({ blueprint }).containers
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
      expect(probe.httpGet).toEqual({ path: blueprint.daemon.endsWith('geth') ? '/' : '/rest/chaininfo.json', port: 'rpc' })
      expect(probe).not.toHaveProperty('tcpSocket')
    }
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(86_400)
  })

  it('allows calls from the gateway only, and peers from anywhere', () => {
    const policy = allOf({}).find(({ kind }) => kind === 'NetworkPolicy')
    expect(policy?.spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          ports: [{ port: 8332, protocol: 'TCP' }],
          from: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'trestle' } },
              podSelector: { matchLabels: { 'trestle.dev/calls-machines': 'true' } },
            },
          ],
        },
        {
          ports: [
            { port: 8333, protocol: 'TCP' },
            { port: 8333, protocol: 'UDP' },
          ],
        },
      ],
    })
  })

  it('contains no password, and the engine secret in the Secret only', () => {
    const password = 'a password of the test'
    const blueprint = catalogue.find(({ chain }) => chain === 'eth')!
    for (const object of [...allOf({ password }), ...allOf({ password, blueprint })]) {
      const texts = [
        JSON.stringify(object),
        ...Object.values((object.data ?? {}) as Record<string, string>).map((each) => String(Buffer.from(each, 'base64'))),
      ]
      for (const text of texts) expect(text).not.toContain(password)
    }
    const secret = allOf({ password, blueprint }).find(({ kind }) => kind === 'Secret')
    expect(Object.keys(secret?.data as object)).toEqual(['engine.jwt'])
  })

  it('has a spec hash that changes with the pod and its secrets, and with nothing else', () => {
    const spec = (more: Partial<DesiredMachine>) =>
      allOf(more).find(({ kind }) => kind === 'StatefulSet')?.metadata.annotations?.['trestle.dev/spec']
    expect(spec({})).toBe(spec({}))
    expect(spec({ running: false })).toBe(spec({}))
    expect(spec({ password: 'another' })).not.toBe(spec({}))
    expect(spec({ blueprint: { ...catalogue[0]!, memoryMiB: 8192 } })).not.toBe(spec({}))
  })

  it('has valid names, or refuses the id', () => {
    const isName = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/
    const hostile = fc.constantFrom(
      'a; rm -rf /',
      '$(x)',
      '../../etc',
      'A'.repeat(300),
      'node-😀',
      '{{ .Values.x }}',
      'node_1',
      'node-',
      '-node',
      '',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uuid().map((uuid) => `node-${uuid}`),
          fc.string(),
          hostile,
        ),
        (id) => {
          if (!isAccepted(id)) return
          for (const { metadata } of allOf({ id })) expect(metadata.name).toMatch(isName)
        },
      ),
    )
    fc.assert(fc.property(hostile, (id) => expect(isAccepted(id)).toBe(false)))
  })

  it('has valid labels, whatever the version', () => {
    const isValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 100 }), fc.constant('{{ .Release.Name }}'), fc.constant('v1; $(x)')), (version) => {
        const value = labelValue(version)
        expect(value).toMatch(isValue)
        expect(value.length).toBeLessThanOrEqual(63)
      }),
    )
  })
})

describe(containerMissing, () => {
  const blueprint = catalogue[0]!

  it.each<[string, Partial<Blueprint>, RegExp]>([
    ['no image', { container: undefined }, /names no container image of core-31\.0/],
    ['an image by its tag alone', { container: { image: 'bitcoin/bitcoin:31.0' } }, /no digest of bitcoin\/bitcoin:31\.0/],
    ['a program that is not supported in containers', { daemon: 'anvil' }, /anvil is not supported in containers/],
    ['eth without a consensus client', { chain: 'eth', daemon: 'geth', consensus: undefined }, /needs a consensus client/],
  ])('refuses %s', (_, more, message) => {
    expect(containerMissing({ ...blueprint, ...more })).toMatch(message)
  })
})

function isAccepted(id: string): boolean {
  try {
    return machineName(id) === id
  } catch {
    return false
  }
}

function allOf(more: Partial<DesiredMachine>): KubernetesObject[] {
  const machine = { id: 'node-1', blueprint: catalogue[0]!, running: true, password: 'a password', ...more }
  const { root, claim, others } = manifestsOf(machine, SURROUNDINGS)
  return [root, claim, ...others]
}

// biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape the models check.
function podSpec(more: Partial<DesiredMachine>): any {
  const set = allOf(more).find(({ kind }) => kind === 'StatefulSet')!
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  return (set.spec as any).template.spec
}
