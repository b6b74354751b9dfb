import { randomUUID } from 'node:crypto'
import { builtInCatalogue, findByImage } from '../../src/catalogue/catalogue.js'
import { type DesiredMachine, DriverUnavailable } from '../../src/drivers/driver.js'
import { KubernetesClient } from '../../src/drivers/kubernetes/kubernetes.client.js'
import { KubernetesDriver } from '../../src/drivers/kubernetes/kubernetes-driver.engine.js'
import { describeDriver, removed, retryUntilDefined, settled } from '../drivers/driver-suite.js'
import { containers } from './fake-kubelet.js'
import { containerBlueprint, type KubernetesHarness, kubernetesHarness, MANIFEST_SETTINGS } from './kubernetes-harness.js'

// Against a fake API server; `npm run test:k8s` runs it against a real one.

let harness: KubernetesHarness

beforeAll(async () => {
  harness = await kubernetesHarness()
})
afterAll(() => harness.close())

// The suite closes what it was given.
describeDriver('kubernetes', async () => ({ ...harness, close: async () => {} }))

describe('a driver on Kubernetes', () => {
  let driver: KubernetesDriver
  let machine: DesiredMachine

  beforeEach(() => {
    driver = harness.driver()
    machine = { id: `node-${randomUUID()}`, blueprint: harness.blueprint, running: true, password: 'a password of the test' }
  })
  afterEach(async () => {
    harness.cluster.kubelet.statuses.clear()
    await removed(harness.driver(), machine)
  })

  it.each([
    ['by an edit', () => harness.cluster.admin.patch(set(), { spec: { template: { spec: { terminationGracePeriodSeconds: 1 } } } })],
    ['by scaling', () => harness.cluster.admin.patch(set(), { spec: { replicas: 0 } }, 'kubectl-scale')],
    ['by removing the StatefulSet', () => harness.cluster.admin.remove(set())],
    ['by removing the root', () => harness.cluster.admin.remove(`${core()}/configmaps/${machine.id}`)],
    ['by removing the Secret', () => harness.cluster.admin.remove(`${core()}/secrets/${machine.id}`)],
    ['by opening the NetworkPolicy', () => harness.cluster.admin.patch(policy(), { spec: { ingress: [{}] } })],
  ])('reverts what others have changed %s', async (_, change) => {
    await settled(driver, machine)
    await change()
    await retryUntilDefined(async () => ((await driver.observe(machine))?.matches === false ? true : undefined))
    await settled(driver, machine)
    expect((await harness.cluster.admin.get(set()))?.spec).toMatchObject({
      replicas: 1,
      template: { spec: { terminationGracePeriodSeconds: 600 } },
    })
    expect((await harness.cluster.admin.get(policy()))?.spec.ingress).toHaveLength(2)
  })

  it.each(['ltc', 'bch', 'eth', 'etc'] as const)('makes what Kubernetes stores unchanged, of %s', async (chain) => {
    const { digest } = harness.blueprint.container!
    const image = { image: 'example.com/a/program', digest }
    const blueprint = { ...findByImage(builtInCatalogue('kubernetes'), chain, 'large')!, container: image }
    machine = { ...machine, blueprint: { ...blueprint, ...(chain === 'eth' && { consensus: image }) } }
    await settled(driver, machine)
    expect((await harness.cluster.admin.get(set()))?.spec.template.spec.containers).toHaveLength(chain === 'eth' ? 2 : 1)
  })

  it('keeps what others have added', async () => {
    await settled(driver, machine)
    await harness.cluster.admin.patch(set(), { metadata: { annotations: { 'example.com/seen': 'yes' } } })
    expect(await driver.observe(machine)).toMatchObject({ matches: true })
    await settled(driver, { ...machine, running: false })
    expect((await harness.cluster.admin.get(set()))?.metadata.annotations).toMatchObject({ 'example.com/seen': 'yes' })
  })

  it('does not override a manager that applies the same fields, and names it', async () => {
    await settled(driver, machine)
    const name = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: machine.id } }
    await harness.cluster.admin.apply(set(), { ...name, spec: { replicas: 0 } }, 'another-operator')
    await retryUntilDefined(async () =>
      (await driver.observe(machine))?.problem?.startsWith('another-operator manages') ? true : undefined,
    )
    await expect(driver.apply(machine)).rejects.toThrow(
      /^Fields of the StatefulSet .* are managed by others: .*"another-operator".*\.spec\.replicas/,
    )
    await expect(driver.apply(machine)).rejects.toThrow(DriverUnavailable)
    expect((await harness.cluster.admin.get(set()))?.spec.replicas).toBe(0)
  })

  it('enlarges a volume, and never shrinks it', async () => {
    await settled(driver, machine)
    await settled(driver, { ...machine, blueprint: containerBlueprint({ diskGiB: 2048 }) })
    await retryUntilDefined(async () => ((await claim())?.status.capacity.storage === '2Ti' ? true : undefined))
    await settled(driver, machine)
    expect((await claim())?.spec.resources.requests.storage).toBe('2Ti')
  })

  it('keeps the volume of a stopped machine, and removes it last', async () => {
    await settled(driver, machine)
    const { uid } = (await claim())!.metadata
    await settled(driver, { ...machine, running: false })
    expect((await claim())?.metadata).toMatchObject({ uid })
    await settled(driver, machine)
    await driver.remove(machine.id)
    expect((await claim())?.metadata).toEqual(expect.not.objectContaining({ deletionTimestamp: expect.anything() }))
    await removed(driver, machine)
    expect(await claim()).toBeUndefined()
  })

  it('finds a machine of which only the volume is left', async () => {
    await settled(driver, machine)
    await harness.cluster.admin.remove(`${core()}/configmaps/${machine.id}`)
    await retryUntilDefined(async () => ((await harness.cluster.admin.get(set())) ? undefined : true))
    const ids: string[] = []
    for await (const id of driver.owned()) ids.push(id)
    expect(ids).toEqual([machine.id])
  })

  it('does not touch a machine of another installation', async () => {
    await settled(driver, machine)
    const other = new KubernetesDriver({ ...MANIFEST_SETTINGS, installation: 'another' }, new KubernetesClient(harness.cluster.access))
    await expect(other.remove(machine.id)).rejects.toThrow('belongs to another installation')
    await expect(other.apply(machine)).rejects.toThrow('belongs to another installation')
    for await (const id of other.owned()) throw new Error(`${id} is not its own`)
    await other.onApplicationShutdown()
    expect(await driver.observe(machine)).toMatchObject({ matches: true })
  })

  it.each([
    [
      /^The image of container node cannot be pulled: no such image\.$/,
      containers({ waiting: { reason: 'ImagePullBackOff', message: 'no such image' } }),
    ],
    [
      /^Container node keeps exiting, the last time because it ran out of memory\.$/,
      containers({ waiting: { reason: 'CrashLoopBackOff' } }, { terminated: { exitCode: 137, reason: 'OOMKilled' } }),
    ],
    [
      /^Its pod cannot be scheduled: 0\/3 nodes are available\.$/,
      {
        phase: 'Pending',
        containerStatuses: [],
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available' }],
      },
    ],
  ])('says why a pod does not run: %s', async (problem, status) => {
    await settled(driver, machine)
    await harness.cluster.kubelet.report(`${machine.id}-0`, status)
    expect(await driver.observe(machine)).toMatchObject({ running: false, problem: expect.stringMatching(problem) })
  })

  it('replaces a pod that never became ready when its blueprint changes', async () => {
    const pod = `${machine.id}-0`
    harness.cluster.kubelet.statuses.set(pod, containers({ waiting: { reason: 'ImagePullBackOff', message: 'no such image' } }))
    await retryUntilDefined(async () => {
      await driver.apply(machine)
      return (await driver.observe(machine))?.problem?.startsWith('The image') ? true : undefined
    })
    harness.cluster.kubelet.statuses.clear()
    const right = {
      ...machine,
      blueprint: containerBlueprint({ container: { image: 'bitcoin/bitcoin:31.1', digest: `sha256:${'b'.repeat(64)}` } }),
    }
    await settled(driver, right)
    const { spec } = (await harness.cluster.admin.get(`${core()}/pods/${pod}`))!
    expect(spec.containers[0].image).toBe(`bitcoin/bitcoin:31.1@sha256:${'b'.repeat(64)}`)
  })

  it('needs what the deployed Role allows, and no more', async () => {
    const client = new KubernetesClient(harness.cluster.access)
    await expect(client.list('Secret', '')).rejects.toMatchObject({ name: 'DriverUnavailable', status: 403 })
    const elsewhere = new KubernetesClient({ ...harness.cluster.access, namespace: 'kube-system' })
    await expect(elsewhere.list('ConfigMap', '')).rejects.toMatchObject({ name: 'DriverUnavailable', status: 403 })
    await Promise.all([client.close(), elsewhere.close()])
  })

  it('says that the API server cannot be reached', async () => {
    const lost = new KubernetesDriver(MANIFEST_SETTINGS, new KubernetesClient({ ...harness.cluster.access, url: 'http://127.0.0.1:1' }))
    await expect(lost.observe(machine)).rejects.toThrow('Kubernetes cannot be reached: ECONNREFUSED.')
    await lost.onApplicationShutdown()
  })

  function set(): string {
    return `/apis/apps/v1/namespaces/${harness.cluster.access.namespace}/statefulsets/${machine.id}`
  }

  function policy(): string {
    return `/apis/networking.k8s.io/v1/namespaces/${harness.cluster.access.namespace}/networkpolicies/${machine.id}`
  }

  function claim() {
    return harness.cluster.admin.get(`${core()}/persistentvolumeclaims/${machine.id}`)
  }

  function core(): string {
    return `/api/v1/namespaces/${harness.cluster.access.namespace}`
  }
})
