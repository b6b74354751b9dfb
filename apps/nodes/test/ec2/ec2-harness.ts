import { randomUUID } from 'node:crypto'
import {
  CreateImageCommand,
  DescribeImagesCommand,
  DescribeSubnetsCommand,
  EC2Client,
  RunInstancesCommand,
  StopInstancesCommand,
} from '@aws-sdk/client-ec2'
import { Ec2Client, type Ec2Settings } from '../../src/drivers/ec2/ec2.client.js'
import { Ec2Driver } from '../../src/drivers/ec2/ec2-driver.engine.js'
import type { DriverHarness } from '../drivers/driver-suite.js'
import { imageBlueprint, interruptedAfter } from './calls.js'

// What others change is seen at once.
const PACE = { pollMs: 50, maxAgeMs: 0 }

export interface Ec2Harness extends DriverHarness {
  readonly settings: Ec2Settings
  readonly driver: () => Ec2Driver
  /** Over calls of which some go another way. */
  readonly over: (calls: Ec2Client) => Ec2Driver
  readonly calls: Ec2Client
  /** Amazon's own client, for what only a test does. */
  readonly client: EC2Client
  readonly imageId: string
}

/** On the server that `npm run test:ec2` has started. */
export async function ec2Harness(endpoint: string): Promise<Ec2Harness> {
  // moto takes any.
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'testing', AWS_SECRET_ACCESS_KEY: 'testing' })
  const region = 'us-east-1'
  const client = new EC2Client({ region, endpoint })
  const { Subnets = [] } = await client.send(new DescribeSubnetsCommand())
  const imageId = await makeImages(client)
  const settings = {
    installation: `testing-${randomUUID().slice(0, 8)}`,
    region,
    endpoint,
    subnet: Subnets[0]?.SubnetId ?? '',
    securityGroups: [],
  }
  const calls = new Ec2Client(settings)
  const drivers: Ec2Driver[] = []
  function over(each: Ec2Client): Ec2Driver {
    const driver = new Ec2Driver(settings, each, PACE)
    drivers.push(driver)
    return driver
  }
  const running = async (id: string) => (await calls.resourcesOf(id)).instances.filter(({ state }) => state === 'running')
  return {
    settings,
    calls,
    client,
    imageId,
    over,
    blueprint: imageBlueprint(),
    other: imageBlueprint({ performance: 'large', instanceType: 'm6i.2xlarge', diskGiB: 2048, memoryMiB: 16_384 }),
    impossible: {
      blueprint: imageBlueprint({ amiPrefix: 'trestle-unknown-' }),
      message: /no machine image whose name begins with trestle-unknown-/,
    },
    driver: () => over(new Ec2Client(settings)),
    interruptedAt: (step) => over(interruptedAfter(new Ec2Client(settings), step)),
    programs: async (id) => (await running(id)).length,
    async isLeft(id) {
      const { instances, volumes } = await calls.resourcesOf(id)
      return volumes.length + instances.filter(({ state }) => state !== 'terminated').length > 0
    },
    async crash(id) {
      const [instance] = await running(id)
      // As its own system does: the driver's tags say nothing of it.
      await client.send(new StopInstancesCommand({ InstanceIds: [instance!.id] }))
    },
    async close() {
      for (const driver of drivers) driver.onApplicationShutdown()
      calls.close()
      client.destroy()
    },
  }
}

/** Two of a prefix, of which the last is the newer, and one whose name only resembles it. */
async function makeImages(client: EC2Client): Promise<string> {
  const { Images = [] } = await client.send(new DescribeImagesCommand({ Owners: ['amazon'] }))
  const { Instances = [] } = await client.send(
    new RunInstancesCommand({ ImageId: Images[0]?.ImageId, MinCount: 1, MaxCount: 1, InstanceType: 't3.small' }),
  )
  const make = (name: string) => client.send(new CreateImageCommand({ InstanceId: Instances[0]?.InstanceId, Name: name }))
  await make(`trestle-core-31.0-${randomUUID()}`)
  await make(`trestle-core-31x0-${randomUUID()}`)
  // Their dates are in whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  return (await make(`trestle-core-31.0-${randomUUID()}`)).ImageId ?? ''
}
