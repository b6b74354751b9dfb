import { type DynamicModule, Module } from '@nestjs/common'
import type { NodesEnv } from '../env.js'
import { Ec2Module } from './ec2/ec2.module.js'
import { KubernetesModule } from './kubernetes/kubernetes.module.js'
import { LocalModule } from './local/local.module.js'

const MODULES = { local: LocalModule, kubernetes: KubernetesModule, 'aws-ec2': Ec2Module }

/** The driver of this deployment. */
@Module({})
export class DriversModule {
  static forRoot({ DRIVER }: Pick<NodesEnv, 'DRIVER'>): DynamicModule {
    const chosen = MODULES[DRIVER]
    return { module: DriversModule, global: true, imports: [chosen], exports: [chosen] }
  }
}
