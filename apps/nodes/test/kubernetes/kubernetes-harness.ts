import { Blueprint } from '../../src/catalogue/blueprint.js'
import { VERIFIED_AT } from '../../src/catalogue/entries.js'
import { KubernetesClient } from '../../src/drivers/kubernetes/kubernetes.client.js'
import { KubernetesDriver } from '../../src/drivers/kubernetes/kubernetes-driver.service.js'
import { KINDS, pathOf } from '../../src/drivers/kubernetes/objects.js'
import type { Harness } from '../drivers/driver-suite.js'
import { Broken } from '../fake-driver.js'
import { openCluster, type TestCluster } from './test-cluster.js'

export const SURROUNDINGS = { installation: 'testing', gatewayNamespace: 'trestle', storageClass: undefined }

export interface KubernetesHarness extends Harness {
  readonly cluster: TestCluster
  readonly driver: () => KubernetesDriver
}

export function aBlueprint(more: Partial<Blueprint> = {}): Blueprint {
  return Blueprint.parse({
    serviceId: 'service-6f1d0f0e-0a5c-8b1e-8c2d-3e4f5a6b7c8d',
    chain: 'btc',
    network: 'mainnet',
    daemon: 'bitcoind',
    software: 'core-31.0',
    version: '31.0',
    performance: 'standard',
    cpus: 2,
    memoryMiB: 4096,
    diskGiB: 1229,
    ports: [8332],
    container: { image: 'bitcoin/bitcoin:31.0', digest: `sha256:${'a'.repeat(64)}` },
    instanceType: 'm6i.large',
    verifiedAt: VERIFIED_AT,
    ...more,
  })
}

export async function kubernetesHarness(): Promise<KubernetesHarness> {
  const cluster = await openCluster()
  const { access, admin, kubelet } = cluster
  const drivers: KubernetesDriver[] = []
  const namespace = `/api/v1/namespaces/${access.namespace}`
  function driverOn(client: KubernetesClient): KubernetesDriver {
    const driver = new KubernetesDriver(SURROUNDINGS, client)
    drivers.push(driver)
    return driver
  }
  return {
    cluster,
    driver: () => following(driverOn(new KubernetesClient(access))),
    breakingAt: (step) => driverOn(new BreakingClient(cluster, step)),
    blueprint: aBlueprint(),
    other: aBlueprint({ performance: 'large', cpus: 8, memoryMiB: 16_384, diskGiB: 2048 }),
    impossible: { blueprint: aBlueprint({ container: { image: 'bitcoin/bitcoin:31.0' } }), message: /no digest of bitcoin\/bitcoin:31.0/ },
    async programs(id) {
      const pods = await admin.list(`${namespace}/pods?labelSelector=trestle.dev/machine=${id}`)
      return pods.filter(({ status }) => status?.containerStatuses?.[0]?.state.running).length
    },
    async isLeft(id) {
      const paths = KINDS.map((kind) => `${pathOf(access.namespace, kind)}?labelSelector=trestle.dev/machine=${id}`)
      return (await Promise.all(paths.map((path) => admin.list(path)))).flat().length > 0
    },
    crash: (id) => kubelet.crash(`${id}-0`),
    async close() {
      for (const driver of drivers) await driver.onApplicationShutdown()
      await cluster.close()
    },
  }
}

/** As in the service, where somebody always wants to hear of changes. */
function following(driver: KubernetesDriver): KubernetesDriver {
  driver.onChange(() => {})
  return driver
}

/** Changes so many things, and then does nothing any more. */
class BreakingClient extends KubernetesClient {
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
    if (this.left-- <= 0) throw new Broken(name)
  }
}
