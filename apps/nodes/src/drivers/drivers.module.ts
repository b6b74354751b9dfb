import { type DynamicModule, Module } from '@nestjs/common'
import type { NodesEnv } from '../env.js'
import { Ec2DriverModule } from './ec2/ec2.module.js'
import { KubernetesDriverModule } from './kubernetes/kubernetes.module.js'
import { LocalDriverModule } from './local/local.module.js'

const MODULES = { local: LocalDriverModule, kubernetes: KubernetesDriverModule, 'aws-ec2': Ec2DriverModule }

/** The driver of this deployment. */
@Module({})
export class DriversModule {
  static forRoot({ DRIVER }: Pick<NodesEnv, 'DRIVER'>): DynamicModule {
    const chosen = MODULES[DRIVER]
    return { module: DriversModule, global: true, imports: [chosen], exports: [chosen] }
  }
}
