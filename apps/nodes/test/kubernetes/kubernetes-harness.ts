import type { Blueprint } from '../../src/catalogue/blueprint.js'
import { KubernetesClient } from '../../src/drivers/kubernetes/kubernetes.client.js'
import { KubernetesDriver } from '../../src/drivers/kubernetes/kubernetes-driver.engine.js'
import { apiPathOf, OBJECT_KINDS } from '../../src/drivers/kubernetes/objects.js'
import { aBlueprint } from '../a-blueprint.js'
import type { DriverHarness } from '../drivers/driver-suite.js'
import { DriverInterrupted } from '../fake-driver.js'
import { openCluster, type TestCluster } from './test-cluster.js'

export const MANIFEST_SETTINGS = { installation: 'testing', gatewayNamespace: 'trestle', storageClass: undefined }

export interface KubernetesHarness extends DriverHarness {
  readonly cluster: TestCluster
  readonly driver: () => KubernetesDriver
}

export function containerBlueprint(more: Partial<Blueprint> = {}): Blueprint {
  return aBlueprint({ container: { image: 'bitcoin/bitcoin:31.0', digest: `sha256:${'a'.repeat(64)}` }, ...more })
}

export async function kubernetesHarness(): Promise<KubernetesHarness> {
  const cluster = await openCluster()
  const { access, admin, kubelet } = cluster
  const drivers: KubernetesDriver[] = []
  const namespace = `/api/v1/namespaces/${access.namespace}`
  function driverOn(client: KubernetesClient): KubernetesDriver {
    const driver = new KubernetesDriver(MANIFEST_SETTINGS, client)
    drivers.push(driver)
    return driver
  }
  return {
    cluster,
    driver: () => following(driverOn(new KubernetesClient(access))),
    interruptedAt: (step) => driverOn(new InterruptedClient(cluster, step)),
    blueprint: containerBlueprint(),
    other: containerBlueprint({ performance: 'large', cpus: 8, memoryMiB: 16_384, diskGiB: 2048 }),
    impossible: {
      blueprint: containerBlueprint({ container: { image: 'bitcoin/bitcoin:31.0' } }),
      message: /no digest of bitcoin\/bitcoin:31.0/,
    },
    async programs(id) {
      const pods = await admin.list(`${namespace}/pods?labelSelector=trestle.dev/machine=${id}`)
      return pods.filter(({ status }) => status?.containerStatuses?.[0]?.state.running).length
    },
    async isLeft(id) {
      const paths = OBJECT_KINDS.map((kind) => `${apiPathOf(access.namespace, kind)}?labelSelector=trestle.dev/machine=${id}`)
      return (await Promise.all(paths.map((path) => admin.list(path)))).flat().length > 0
    },
    crash: (id) => kubelet.crash(`${id}-0`),
    async close() {
      for (const driver of drivers) await driver.onApplicationShutdown()
      await cluster.close()
    },
  }
}

/** As in the service, which always listens for changes. */
function following(driver: KubernetesDriver): KubernetesDriver {
  driver.onChange(() => {})
  return driver
}

/** Fails every change after the first `left`. */
class InterruptedClient extends KubernetesClient {
  constructor(
    { access }: TestCluster,
    private left: number,
  ) {
    super(access)
  }

  override apply(...args: Parameters<KubernetesClient['apply']>) {
    this.step('apply')
    return super.apply(...args)
  }

  override remove(...args: Parameters<KubernetesClient['remove']>) {
    this.step('remove')
    return super.remove(...args)
  }

  private step(name: string): void {
    if (this.left-- <= 0) throw new DriverInterrupted(name)
  }
}
