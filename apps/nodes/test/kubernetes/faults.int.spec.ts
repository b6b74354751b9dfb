import { randomUUID } from 'node:crypto'
import { DriverUnavailable, type WantedMachine } from '../../src/drivers/driver.js'
import { removed, settled } from '../drivers/driver-suite.js'
import type { Fault } from './fake-api-server.js'
import { type KubernetesHarness, kubernetesHarness } from './kubernetes-harness.js'

// What only a fake API server can be made to do.
const describeFake = process.env.CONTROL_PLANE ? describe.skip : describe

describeFake('a driver, and an API server that fails', () => {
  let harness: KubernetesHarness
  let machine: WantedMachine

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

  it('lists page by page', async () => {
    const { store } = harness.cluster.fake!
    const collection = '/api/v1/namespaces/machines/configmaps'
    const ids = Array.from({ length: 501 }, (_, i) => `node-${String(i).padStart(4, '0')}`)
    for (const name of ids) {
      const labels = { 'trestle.dev/installation': 'testing', 'trestle.dev/machine': name }
      store.save(collection, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } })
    }
    harness.cluster.fake!.asked.length = 0
    const owned: string[] = []
    for await (const id of harness.driver().owned()) owned.push(id)
    expect(owned).toEqual(expect.arrayContaining(ids))
    expect(harness.cluster.fake!.asked.filter((call) => call === `GET ${collection}`)).toHaveLength(2)
    for (const name of ids) store.drop(collection, name)
  })

  function befall(fault: (method: string, path: string) => Fault | undefined): void {
    harness.cluster.fake!.fault = fault
  }
})
