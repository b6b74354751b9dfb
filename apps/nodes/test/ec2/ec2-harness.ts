import { randomUUID } from 'node:crypto'
import {
  CreateImageCommand,
  DescribeImagesCommand,
  DescribeSubnetsCommand,
  EC2Client,
  RunInstancesCommand,
  StopInstancesCommand,
} from '@aws-sdk/client-ec2'
import { Blueprint } from '../../src/catalogue/blueprint.js'
import { VERIFIED_AT } from '../../src/catalogue/entries.js'
import { Ec2Calls, type Ec2Settings } from '../../src/drivers/ec2/ec2.client.js'
import { Ec2Driver } from '../../src/drivers/ec2/ec2-driver.service.js'
import type { Harness } from '../drivers/driver-suite.js'
import { Broken } from '../fake-driver.js'

const LOOK_MS = 50
/** What changes something, by the names that Ec2Calls gives them. */
const CHANGES = new Set(['createVolume', 'launch', 'numberLaunch', 'attach', 'resize', 'deleteVolume', 'start', 'stop', 'terminate'])

export interface Ec2Harness extends Harness {
  readonly settings: Ec2Settings
  readonly driver: () => Ec2Driver
  /** Over calls of which some go another way. */
  readonly over: (calls: Ec2Calls) => Ec2Driver
  readonly calls: Ec2Calls
  /** Amazon's own client, for what only a test does. */
  readonly client: EC2Client
  readonly imageId: string
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
    amiPrefix: 'trestle-core-31.0-',
    instanceType: 'm6i.large',
    verifiedAt: VERIFIED_AT,
    ...more,
  })
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
  const calls = new Ec2Calls(settings)
  const drivers: Ec2Driver[] = []
  function over(each: Ec2Calls): Ec2Driver {
    const driver = new Ec2Driver(settings, each, LOOK_MS)
    drivers.push(driver)
    return driver
  }
  const running = async (id: string) => (await calls.fleetOf(id)).instances.filter(({ state }) => state === 'running')
  return {
    settings,
    calls,
    client,
    imageId,
    over,
    blueprint: aBlueprint(),
    other: aBlueprint({ performance: 'large', instanceType: 'm6i.2xlarge', diskGiB: 2048, memoryMiB: 16_384 }),
    impossible: {
      blueprint: aBlueprint({ amiPrefix: 'trestle-unknown-' }),
      message: /no machine image whose name begins with trestle-unknown-/,
    },
    driver: () => over(new Ec2Calls(settings)),
    breakingAt: (step) => over(breaking(new Ec2Calls(settings), step)),
    programs: async (id) => (await running(id)).length,
    async isLeft(id) {
      const { instances, volumes } = await calls.fleetOf(id)
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

/** Calls that change so many things, and then do nothing any more. */
function breaking(calls: Ec2Calls, steps: number): Ec2Calls {
  let left = steps
  return intercepted(calls, (name, call) => {
    if (left-- <= 0) throw new Broken(name)
    return call()
  })
}

/** Everything that changes something goes through `meet`. */
export function intercepted(calls: Ec2Calls, meet: (name: string, call: () => Promise<unknown>) => unknown): Ec2Calls {
  return new Proxy(calls, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (!CHANGES.has(String(name))) return value.bind(target)
      return async (...args: unknown[]) => meet(String(name), () => value.apply(target, args))
    },
  })
}
