import { randomUUID } from 'node:crypto'
import { type DesiredMachine, DriverUnavailable } from '../../src/drivers/driver.js'
import { KubernetesClient } from '../../src/drivers/kubernetes/kubernetes.client.js'
import { KubernetesDriver } from '../../src/drivers/kubernetes/kubernetes-driver.service.js'
import { removed, settled, until } from '../drivers/driver-suite.js'
import type { Fault } from './fake-api-server.js'
import type { FakeStore } from './fake-store.js'
import { type KubernetesHarness, kubernetesHarness, SURROUNDINGS } from './kubernetes-harness.js'
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
  afterEach(() => befall(() => undefined))
  afterAll(() => harness.close())

  it.each<[string, Fault, RegExp]>([
    ['500', { status: 500 }, /^Kubernetes refuses \(500\): a fault of the test$/],
    ['429', { status: 429, retryAfter: 1 }, /^Kubernetes refuses \(429\): a fault of the test$/],
    ['a lost connection', 'drop', /^Kubernetes cannot be reached: UND_ERR_SOCKET\.$/],
  ])('tells of %s in a sentence, and changes nothing', async (_, fault, message) => {
    befall(() => fault)
    await expect(harness.driver().apply(machine)).rejects.toThrow(message)
    await expect(harness.driver().observe(machine)).rejects.toThrow(DriverUnavailable)
    befall(() => undefined)
    expect(await harness.driver().observe(machine)).toBeUndefined()
  })

  it('tells nothing of a Secret that is refused', async () => {
    befall((method, path) => (method === 'PATCH' && path.includes('/secrets/') ? { status: 422 } : undefined))
    await expect(harness.driver().apply(machine)).rejects.toThrow(/^Kubernetes refuses \(422\)\.$/)
  })

  it('comes to what is wanted though one request of sixteen fails and many are slow', async () => {
    let drawn = 1
    befall(() => {
      // Without a rhythm, in which the same request would fail each time (the generator of the C standard's example).
      drawn = (Math.imul(drawn, 1_103_515_245) + 12_345) >>> 0
      const chance = (drawn >>> 16) % 16
      if (chance === 0) return drawn % 3 === 0 ? { status: 503 } : 'drop'
      return chance < 4 ? { delayMs: 2 } : undefined
    })
    const driver = harness.driver()
    await settled(driver, machine)
    await settled(driver, { ...machine, running: false })
    await removed(driver, machine)
    befall(() => undefined)
    expect(await harness.isLeft(machine.id)).toBe(false)
  })

  it('writes nothing while everything is as it should be', async () => {
    await settled(harness.driver(), machine)
    harness.cluster.fake!.asked.length = 0
    await harness.driver().apply(machine)
    expect(harness.cluster.fake!.asked.filter((call) => !call.startsWith('GET '))).toEqual([])
  })

  it('asks for nothing of a machine that it follows, and looks at Secrets in turn', async () => {
    // Of its own: a driver of another test that could not list something then may do so by now.
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

  it('asks about everything while it is told of nothing', async () => {
    const { asked } = harness.cluster.fake!
    await settled(harness.driver(), machine)
    befall((_, path) => (path.endsWith('/statefulsets') ? { status: 503 } : undefined))
    asked.length = 0
    expect(await harness.driver().observe(machine)).toMatchObject({ running: true, matches: true })
    expect(asked).toContain(`GET /apis/apps/v1/namespaces/machines/statefulsets/${machine.id}`)
  })

  it('sees what went while it was told of nothing, though the server has forgotten it since', async () => {
    const { fake, admin } = harness.cluster
    await settled(harness.driver(), machine)
    const driver = harness.driver()
    expect(await driver.observe(machine)).toMatchObject({ matches: true })
    befall(() => ({ status: 503 }))
    fake!.dropWatches()
    await admin.remove(`/apis/networking.k8s.io/v1/namespaces/machines/networkpolicies/${machine.id}`)
    fake!.store.forget()
    befall(() => undefined)
    await until(async () => {
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
    const driver = new KubernetesDriver(SURROUNDINGS, new KubernetesClient(access))
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

  function befall(fault: (method: string, path: string) => Fault | undefined): void {
    harness.cluster.fake!.fault = fault
  }
})
