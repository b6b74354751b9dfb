import { Module } from '@nestjs/common'
import type { NodesEnv } from '../../env.js'
import { ENV } from '../../settings.module.js'
import { NodeDriver } from '../driver.js'
import { KubernetesClient } from './kubernetes.client.js'
import { KubernetesDriver } from './kubernetes-driver.engine.js'

@Module({
  providers: [{ provide: NodeDriver, useFactory: driverOf, inject: [ENV] }],
  exports: [NodeDriver],
})
export class KubernetesModule {}

function driverOf(env: NodesEnv): KubernetesDriver {
  const client = new KubernetesClient({
    url: env.KUBERNETES_API,
    namespace: env.KUBERNETES_NAMESPACE,
    tokenFile: env.KUBERNETES_TOKEN_FILE,
    caFile: env.KUBERNETES_CA_FILE,
  })
  const settings = {
    installation: env.INSTALLATION,
    gatewayNamespace: env.KUBERNETES_GATEWAY_NAMESPACE,
    storageClass: env.KUBERNETES_STORAGE_CLASS,
  }
  return new KubernetesDriver(settings, client)
}
