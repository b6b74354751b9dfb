import { randomUUID } from 'node:crypto'
import { type DesiredMachine, DriverUnavailable } from '../../src/drivers/driver.js'
import { KubernetesClient } from '../../src/drivers/kubernetes/kubernetes.client.js'
import { KubernetesDriver } from '../../src/drivers/kubernetes/kubernetes-driver.engine.js'
import { removed, retryUntilDefined, settled } from '../drivers/driver-suite.js'
import type { ApiFault } from './fake-api-server.js'
import type { FakeStore } from './fake-store.js'
import { type KubernetesHarness, kubernetesHarness, MANIFEST_SETTINGS } from './kubernetes-harness.js'
import { openCluster } from './test-cluster.js'

const ROOTS = '/api/v1/namespaces/machines/configmaps'
// What only a fake API server can be made to do.
const describeFake = process.env.CONTROL_PLANE ? describe.skip : describe

describeFake('a driver, and an API server that fails', () => {
  let harness: KubernetesHarness
  let machine: DesiredMachine

  beforeAll(async () => {
    harness = await kubernetesHarness()
  })
  beforeEach(() => {
    machine = { id: `node-${randomUUID()}`, blueprint: harness.blueprint, running: true, password: 'a password of the test' }
  })
  afterEach(() => injectFault(() => undefined))
  afterAll(() => harness.close())

  it.each<[string, ApiFault, RegExp]>([
    ['500', { status: 500 }, /^Kubernetes refused the request \(500\): a fault of the test$/],
    ['429', { status: 429, retryAfter: 1 }, /^Kubernetes refused the request \(429\): a fault of the test$/],
    ['a lost connection', 'drop', /^Kubernetes cannot be reached: UND_ERR_SOCKET\.$/],
  ])('reports %s in a sentence, and changes nothing', async (_, fault, message) => {
    injectFault(() => fault)
    await expect(harness.driver().apply(machine)).rejects.toThrow(message)
    await expect(harness.driver().observe(machine)).rejects.toThrow(DriverUnavailable)
    injectFault(() => undefined)
    expect(await harness.driver().observe(machine)).toBeUndefined()
  })

  it('reveals nothing of a Secret that is refused', async () => {
    injectFault((method, path) => (method === 'PATCH' && path.includes('/secrets/') ? { status: 422 } : undefined))
    await expect(harness.driver().apply(machine)).rejects.toThrow(/^Kubernetes refused the request \(422\)\.$/)
  })

  it('reaches the desired state though one request of sixteen fails and many are slow', async () => {
    let drawn = 1
    injectFault(() => {
      // Pseudo-random, so that not the same request fails each time (the generator of the C standard's example).
      drawn = (Math.imul(drawn, 1_103_515_245) + 12_345) >>> 0
      const chance = (drawn >>> 16) % 16
      if (chance === 0) return drawn % 3 === 0 ? { status: 503 } : 'drop'
      return chance < 4 ? { delayMs: 2 } : undefined
    })
    const driver = harness.driver()
    await settled(driver, machine)
    await settled(driver, { ...machine, running: false })
    await removed(driver, machine)
    injectFault(() => undefined)
    expect(await harness.isLeft(machine.id)).toBe(false)
  })

  it('writes nothing while the machine is in its desired state', async () => {
    await settled(harness.driver(), machine)
    harness.cluster.fake!.asked.length = 0
    await harness.driver().apply(machine)
    expect(harness.cluster.fake!.asked.filter((call) => !call.startsWith('GET '))).toEqual([])
  })

  it('reads a watched machine from its cache, and Secrets in turn', async () => {
    // A cluster of its own: a driver of another test may still be listing.
    const { cluster, driver: start, close } = await kubernetesHarness()
    const machines = Array.from({ length: 50 }, () => ({ ...machine, id: `node-${randomUUID()}` }))
    keepRoots(cluster.fake!.store, machines)
    const driver = start()
    for (let pass = 0; pass < 3; pass++)
      for (const each of machines) expect(await driver.observe(each)).toMatchObject({ instance: { id: each.id } })
    const { asked, watchesAsked } = cluster.fake!
    const ofSecrets = asked.filter((call) => call.includes('/secrets/'))
    // Six kinds are listed, and then watched.
    expect(asked.length - ofSecrets.length - watchesAsked).toBe(6)
    expect(ofSecrets.length).toBeLessThan(machines.length)
    await close()
  })

  it('asks the API server while a watch is down', async () => {
    const { asked } = harness.cluster.fake!
    await settled(harness.driver(), machine)
    injectFault((_, path) => (path.endsWith('/statefulsets') ? { status: 503 } : undefined))
    asked.length = 0
    expect(await harness.driver().observe(machine)).toMatchObject({ running: true, matches: true })
    expect(asked).toContain(`GET /apis/apps/v1/namespaces/machines/statefulsets/${machine.id}`)
  })

  it('finds what was removed while its watches were down, though the server no longer has the event', async () => {
    const { fake, admin } = harness.cluster
    await settled(harness.driver(), machine)
    const driver = harness.driver()
    expect(await driver.observe(machine)).toMatchObject({ matches: true })
    injectFault(() => ({ status: 503 }))
    fake!.dropWatches()
    await admin.remove(`/apis/networking.k8s.io/v1/namespaces/machines/networkpolicies/${machine.id}`)
    fake!.store.forget()
    injectFault(() => undefined)
    await retryUntilDefined(async () => {
      fake!.asked.length = 0
      const seen = await driver.observe(machine)
      return fake!.asked.length === 0 && seen?.matches === false ? true : undefined
    })
  })

  it('lists page by page', async () => {
    const { access, fake, close } = await openCluster()
    const ids = Array.from({ length: 501 }, (_, i) => `node-${String(i).padStart(4, '0')}`)
    keepRoots(
      fake!.store,
      ids.map((id) => ({ id })),
    )
    const driver = new KubernetesDriver(MANIFEST_SETTINGS, new KubernetesClient(access))
    const owned: string[] = []
    for await (const id of driver.owned()) owned.push(id)
    expect(owned).toEqual(ids)
    expect(fake!.asked.filter((call) => call === `GET ${ROOTS}`)).toHaveLength(2)
    await driver.onApplicationShutdown()
    await close()
  })

  function keepRoots(store: FakeStore, machines: readonly { readonly id: string }[]): void {
    for (const { id: name } of machines) {
      const labels = { 'trestle.dev/installation': 'testing', 'trestle.dev/machine': name }
      store.save(ROOTS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } })
    }
  }

  function injectFault(fault: (method: string, path: string) => ApiFault | undefined): void {
    harness.cluster.fake!.fault = fault
  }
})
