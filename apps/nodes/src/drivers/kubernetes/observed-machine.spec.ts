import { Blueprint } from '../../catalogue/blueprint.js'
import { builtInCatalogue } from '../../catalogue/catalogue.js'
import { manifestsOf } from './manifests.js'
import type { KubernetesObject } from './objects.js'
import { claimToApply, isOutdated, type MachineObjects, observedOf } from './observed-machine.js'

const [first] = builtInCatalogue('kubernetes')
const blueprint = Blueprint.parse({ ...first, container: { image: 'example.com/node', digest: `sha256:${'a'.repeat(64)}` } })
const machine = { id: 'node-1', blueprint, running: true, password: 'a password of the test' }
const desired = manifestsOf(machine, { installation: 'testing', gatewayNamespace: 'trestle' })

describe(observedOf, () => {
  it('matches a machine in its desired state', () => {
    expect(sight(found({ pod: pod({ state: { running: {} } }) }))).toEqual({
      running: true,
      matches: true,
      instance: { region: 'machines', id: 'node-1', imageId: blueprint.container?.digest, type: blueprint.instanceType },
      address: { host: 'node-1.machines.svc', port: 8332 },
    })
  })

  it.each(['ConfigMap', 'Secret', 'Service', 'NetworkPolicy', 'StatefulSet', 'PersistentVolumeClaim'])(
    'does not match without its %s',
    (kind) => {
      const all = found({})
      expect(sight(all.filter((object) => object !== all.find((each) => each.kind === kind))).matches).toBe(false)
    },
  )

  it('does not match before the controller has observed the StatefulSet', () => {
    expect(sight(found({ status: { observedGeneration: 1, updateRevision: 'r1' } })).matches).toBe(false)
    const old = pod({ state: { running: {} } }, 'r0')
    expect(sight(found({ pod: old }))).toMatchObject({ running: true, matches: false })
    const going = { ...old, metadata: { ...old.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
    expect(sight(found({ pod: going }))).toMatchObject({ running: true, matches: false })
  })

  it.each<[string, object, object]>([
    [
      'Container node exited unexpectedly, with exit code 1.',
      { state: { terminated: { exitCode: 1, reason: 'Error' } } },
      { running: false },
    ],
    [
      'Container node ran out of memory and was killed once.',
      { state: { running: {} }, lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
      { running: true },
    ],
    [
      'Container node cannot be started: secret "node-1" not found.',
      { state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "node-1" not found' } } },
      { running: false },
    ],
    [
      'Container node keeps exiting, the last time with exit code 1.',
      {
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1, message: 'Error: Disk space is too low!' } },
      },
      { running: false, storageFull: true },
    ],
  ])('says: %s', (problem, container, more) => {
    expect(sight(found({ pod: pod(container) }))).toMatchObject({ problem, ...more })
  })

  it('reports a pending or lost volume', () => {
    expect(sight(found({ claim: { phase: 'Pending' } })).problem).toBe('It is waiting for its volume.')
    expect(sight(found({ claim: { phase: 'Lost' } })).problem).toBe('Its volume is lost, and its data with it.')
  })

  it('reports nothing while a container is being created', () => {
    expect(sight(found({ pod: pod({ state: { waiting: { reason: 'ContainerCreating' } } }) })).problem).toBeUndefined()
  })
})

describe(isOutdated, () => {
  it('is false of a pod that is being deleted, and of one without a status', () => {
    const old = pod({ state: { running: {} } }, 'r0')
    expect(isOutdated(found({ pod: old }))).toBe(true)
    expect(isOutdated(found({ pod: { ...old, metadata: { ...old.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } } }))).toBe(false)
    expect(isOutdated(found({ pod: old, status: { observedGeneration: 1, updateRevision: 'r1' } }))).toBe(false)
  })
})

describe(claimToApply, () => {
  const sizeOf = ({ spec }: KubernetesObject) => (spec as { resources: { requests: { storage: string } } }).resources.requests.storage
  const there = (storage: string): MachineObjects => [
    { ...desired.claim, spec: { resources: { requests: { storage } }, storageClassName: 'old' } },
  ]

  it('never shrinks the volume, nor changes its class', () => {
    expect(sizeOf(claimToApply([], desired.claim))).toBe('1229Gi')
    expect(sizeOf(claimToApply(there('1Ti'), desired.claim))).toBe('1229Gi')
    expect(sizeOf(claimToApply(there('2Ti'), desired.claim))).toBe('2Ti')
    expect(claimToApply(there('2Ti'), desired.claim).spec).toMatchObject({ storageClassName: 'old' })
  })
})

function sight(all: MachineObjects) {
  return observedOf(all, machine, desired)
}

/** All of the machine, as it should be but for what is said. */
function found(other: { pod?: KubernetesObject; status?: object; claim?: object }): MachineObjects {
  const { root, claim, others } = desired
  const status: Record<string, object> = {
    StatefulSet: other.status ?? { observedGeneration: 2, updateRevision: 'r1' },
    PersistentVolumeClaim: other.claim ?? { phase: 'Bound' },
  }
  const objects = [root, claim, ...others].map((object) => ({
    ...object,
    metadata: { ...object.metadata, namespace: 'machines', generation: 2 },
    status: status[object.kind],
  }))
  return other.pod ? [...objects, other.pod] : objects
}

function pod(container: object, revision = 'r1'): KubernetesObject {
  const containerStatuses = [{ name: 'node', ...container }]
  const metadata = { name: 'node-1-0', namespace: 'machines', labels: { 'controller-revision-hash': revision } }
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running', containerStatuses } }
}
