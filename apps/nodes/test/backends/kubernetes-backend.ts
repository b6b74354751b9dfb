import { setTimeout as delay } from 'node:timers/promises'
import type { NodeDriver } from '../../src/drivers/driver.js'
import { KubernetesClient } from '../../src/drivers/kubernetes/kubernetes.client.js'
import { KubernetesDriver } from '../../src/drivers/kubernetes/kubernetes-driver.engine.js'
import { MACHINE } from '../../src/drivers/kubernetes/labels.js'
import type { Fate } from '../fake-driver.js'
import { fated } from '../intercepted.js'
import { containers } from '../kubernetes/fake-kubelet.js'
import { containerBlueprint, MANIFEST_SETTINGS } from '../kubernetes/kubernetes-harness.js'
import { openCluster, type TestCluster } from '../kubernetes/test-cluster.js'
import type { TestBackend } from './test-backend.js'

const CORE = '/api/v1/namespaces/machines'

/** Objects of a fake API server, and whoever in a cluster makes something of them. */
export class KubernetesBackend implements TestBackend {
  readonly standard = containerBlueprint()
  readonly large = containerBlueprint({
    serviceId: 'service-7a2e1f1f-1b6d-4c2f-9d3e-4f5a6b7c8d9e',
    performance: 'large',
    cpus: 8,
    memoryMiB: 16_384,
  })
  private last?: KubernetesDriver

  private constructor(private readonly cluster: TestCluster) {}

  static async open(): Promise<KubernetesBackend> {
    return new KubernetesBackend(await openCluster())
  }

  driver(fate: (point: string) => Fate): NodeDriver {
    void this.last?.onApplicationShutdown()
    const client = fated(new KubernetesClient(this.cluster.access), new Set(['apply', 'remove']), fate)
    // What it is told is believed at once, though it may be of before its last change.
    this.last = new KubernetesDriver(MANIFEST_SETTINGS, client, 0)
    this.last.onChange(() => {})
    return fated(this.last, new Set(['observe']), fate)
  }

  async programs(): Promise<string[]> {
    const pods = await this.cluster.admin.list(`${CORE}/pods`)
    return pods
      .filter(({ status }) => status?.containerStatuses?.[0]?.state.running)
      .map(({ metadata }) => String(metadata.labels?.[MACHINE]))
  }

  async remaining(): Promise<string[]> {
    const ids = this.cluster.fake?.store.all().map(([, { metadata }]) => metadata.labels?.[MACHINE]) ?? []
    return [...new Set(ids.filter((id) => id !== undefined))]
  }

  async crash(id: string): Promise<void> {
    const pod = `${CORE}/pods/${id}-0`
    const status = containers({ terminated: { exitCode: 137, reason: 'Error' } })
    if (await this.cluster.admin.get(pod)) await this.cluster.admin.patch(`${pod}/status`, { status })
  }

  /** All but the volume. */
  async vanish(id: string): Promise<void> {
    await this.cluster.admin.remove(`${CORE}/configmaps/${id}`)
  }

  advance(): void {}

  /** When its kubelet has looked at everything, and found nothing to do. */
  async settle(): Promise<void> {
    const { kubelet, fake } = this.cluster
    for (;;) {
      const [version, round] = [fake?.store.now, kubelet.rounds]
      while (kubelet.rounds < round + 2) await delay(5)
      if (fake?.store.now === version) return
    }
  }

  async clear(): Promise<void> {
    for (const [collection, { metadata }] of this.cluster.fake?.store.all() ?? [])
      if (metadata.labels?.[MACHINE]) this.cluster.fake?.store.drop(collection, metadata.name)
    await this.settle()
  }

  async close(): Promise<void> {
    await this.last?.onApplicationShutdown()
    await this.cluster.close()
  }
}
