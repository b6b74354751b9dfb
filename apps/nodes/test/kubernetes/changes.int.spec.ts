import { randomUUID } from 'node:crypto'
import type { DesiredMachine } from '../../src/drivers/driver.js'
import { KubernetesClient, type WatchEvent, type WatchStart } from '../../src/drivers/kubernetes/kubernetes.client.js'
import { KubernetesDriver } from '../../src/drivers/kubernetes/kubernetes-driver.engine.js'
import type { ObjectKind } from '../../src/drivers/kubernetes/objects.js'
import { removed, settled } from '../drivers/driver-suite.js'
import { type KubernetesHarness, kubernetesHarness, MANIFEST_SETTINGS } from './kubernetes-harness.js'

// Against a fake API server; `npm run test:k8s` runs it against a real one.

let harness: KubernetesHarness
let machine: DesiredMachine

beforeAll(async () => {
  harness = await kubernetesHarness()
  machine = { id: `node-${randomUUID()}`, blueprint: harness.blueprint, running: true, password: 'a password of the test' }
  await settled(harness.driver(), machine)
})
afterAll(async () => {
  await removed(harness.driver(), machine)
  await harness.close()
})

it('reports existing machines, and then their changes', async () => {
  const heard = new Heard(new WatchedClient(harness.cluster.access))
  expect(await heard.next()).toBe(machine.id)
  await heard.quiet()
  await harness.cluster.kubelet.crash(`${machine.id}-0`)
  expect(await heard.next()).toBe(machine.id)
  await heard.close()
})

it('resumes its watches when connections are lost', async () => {
  const client = new WatchedClient(harness.cluster.access)
  const heard = new Heard(client)
  await heard.quiet()
  const lists = client.lists
  client.loseWatches()
  await harness.cluster.kubelet.crash(`${machine.id}-0`)
  expect(await heard.next()).toBe(machine.id)
  expect(client.lists).toBe(lists)
  await heard.close()
})

it('lists everything again when the server no longer has its version', async () => {
  const client = new WatchedClient(harness.cluster.access)
  client.pretendOld = true
  const heard = new Heard(client)
  await client.refused
  client.pretendOld = false
  await heard.quiet()
  await harness.cluster.kubelet.crash(`${machine.id}-0`)
  expect(await heard.next()).toBe(machine.id)
  await heard.close()
})

it('rejects with 410 for a version that the server no longer has', async () => {
  const client = new KubernetesClient(harness.cluster.access)
  const start = { labelSelector: '', version: '1', signal: new AbortController().signal }
  await expect(client.watch('Pod', start, () => {})).rejects.toMatchObject({ name: 'DriverUnavailable', status: 410 })
  await client.close()
})

/** A client that can drop its watches, or ask from a version that the server no longer has. */
class WatchedClient extends KubernetesClient {
  lists = 0
  pretendOld = false
  readonly refused: Promise<void>
  /** How many watches are open. */
  watching = 0
  private tellRefused = () => {}
  private lost = new AbortController()

  constructor(access: ConstructorParameters<typeof KubernetesClient>[0]) {
    super(access)
    this.refused = new Promise((resolve) => {
      this.tellRefused = resolve
    })
  }

  loseWatches(): void {
    const { lost } = this
    this.lost = new AbortController()
    lost.abort()
  }

  override async list(kind: ObjectKind, labelSelector: string) {
    this.lists++
    return super.list(kind, labelSelector)
  }

  override async watch(kind: ObjectKind, from: WatchStart, listener: (event: WatchEvent) => void): Promise<string> {
    const signal = AbortSignal.any([from.signal, this.lost.signal])
    this.watching++
    try {
      return await super.watch(kind, { ...from, signal, ...(this.pretendOld && { version: '1' }) }, listener)
    } catch (error) {
      if ((error as { status?: number }).status === 410) this.tellRefused()
      throw error
    } finally {
      this.watching--
    }
  }
}

class Heard {
  private readonly ids: string[] = []
  private wake = () => {}
  private readonly driver: KubernetesDriver

  constructor(private readonly client: WatchedClient) {
    this.driver = new KubernetesDriver(MANIFEST_SETTINGS, client)
    this.driver.onChange((id) => {
      this.ids.push(id)
      this.wake()
    })
  }

  async next(): Promise<string | undefined> {
    if (this.ids.length === 0)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    return this.ids.shift()
  }

  /** Until all kinds are watched; what was heard before does not count. */
  async quiet(): Promise<void> {
    while (this.client.watching < 6) await new Promise((resolve) => setImmediate(resolve))
    // A machine that was ended starts again by itself, which is heard as well.
    await settled(harness.driver(), machine)
    this.ids.length = 0
  }

  close(): Promise<void> {
    return this.driver.onApplicationShutdown()
  }
}
