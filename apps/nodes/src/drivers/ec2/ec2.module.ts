import { Module } from '@nestjs/common'
import type { NodesEnv } from '../../env.js'
import { ENV } from '../../settings.module.js'
import { NodeDriver } from '../driver.js'
import { Ec2Driver } from './ec2-driver.engine.js'

@Module({
  providers: [{ provide: NodeDriver, useFactory: driverOf, inject: [ENV] }],
  exports: [NodeDriver],
})
export class Ec2Module {}

async function driverOf(env: NodesEnv): Promise<Ec2Driver> {
  if (!env.EC2_SUBNET) throw new Error('EC2_SUBNET must name a subnet if DRIVER is aws-ec2.')
  // The SDK takes 90 MB of memory, which other drivers need not pay for.
  const { Ec2Client } = await import('./ec2.client.js')
  const settings = {
    installation: env.INSTALLATION,
    region: env.AWS_REGION,
    subnet: env.EC2_SUBNET,
    securityGroups: env.EC2_SECURITY_GROUPS,
    endpoint: env.EC2_ENDPOINT,
  }
  return new Ec2Driver(settings, new Ec2Client(settings))
}
