import { randomUUID } from 'node:crypto'
import {
  CreateSnapshotCommand,
  CreateVolumeCommand,
  DescribeInstanceAttributeCommand,
  DescribeVolumesCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
import { type DesiredMachine, DriverUnavailable } from '../../src/drivers/driver.js'
import { describeDriver, removed, retryUntilDefined, settled } from '../drivers/driver-suite.js'
import { intercepted } from '../intercepted.js'
import { CHANGES, imageBlueprint } from './calls.js'
import { type Ec2Harness, ec2Harness } from './ec2-harness.js'

// `npm run test:ec2` starts moto, which plays EC2; it does not do what ClientTokens are for, so that what is sent twice is done twice.
const endpoint = process.env.EC2_ENDPOINT_OF_MOTO ?? ''

describeDriver('aws-ec2', () => ec2Harness(endpoint))

describe('a driver on EC2', () => {
  let harness: Ec2Harness
  let machine: DesiredMachine

  beforeAll(async () => {
    harness = await ec2Harness(endpoint)
  })
  beforeEach(() => {
    machine = { id: `node-${randomUUID()}`, blueprint: harness.blueprint, running: true, password: 'a password of the test' }
  })
  afterEach(() => removed(harness.driver(), machine))
  afterAll(() => harness.close())

  it('uses the newest image of its name', async () => {
    const { instance } = await settled(harness.driver(), machine)
    expect(instance).toMatchObject({ region: 'us-east-1', id: expect.stringMatching(/^i-/), imageId: harness.imageId, type: 'm6i.large' })
  })

  it('puts no secret into user data', async () => {
    const { instance } = await settled(harness.driver(), machine)
    const command = new DescribeInstanceAttributeCommand({ InstanceId: instance!.id, Attribute: 'userData' })
    const { UserData } = await harness.client.send(command)
    const text = Buffer.from(UserData?.Value ?? '', 'base64').toString()
    expect(text).toMatch(/^#cloud-config\n/)
    expect(text).toContain('rpcauth=trestle:')
    expect(text).not.toContain(machine.password)
  })

  it('makes one of each resource though every answer is lost and every request is sent twice', async () => {
    const calls = intercepted(harness.calls, CHANGES, async (name, call) => {
      await call()
      await call().catch(() => undefined)
      throw new DriverUnavailable(`The answer to ${name} was lost.`)
    })
    const driver = harness.over(calls)
    await retryUntilDefined(() => settled(driver, machine))
    const { instances, volumes } = await harness.calls.resourcesOf(machine.id)
    expect(instances.filter(({ state }) => state !== 'terminated')).toHaveLength(1)
    expect(volumes).toHaveLength(1)
    await retryUntilDefined(() => settled(driver, { ...machine, running: false }))
    await retryUntilDefined(async () => {
      await removed(driver, machine)
      return true
    })
    expect(await harness.isLeft(machine.id)).toBe(false)
  })

  it('launches a terminated instance again, with its volume', async () => {
    const driver = harness.driver()
    const { instance } = await settled(driver, machine)
    const [before] = (await harness.calls.resourcesOf(machine.id)).volumes
    await harness.client.send(new TerminateInstancesCommand({ InstanceIds: [instance!.id] }))
    expect((await settled(driver, machine)).instance?.id).not.toBe(instance!.id)
    const { volumes } = await harness.calls.resourcesOf(machine.id)
    expect(volumes.map(({ id, launch }) => ({ id, launch }))).toEqual([{ id: before!.id, launch: before!.launch + 1 }])
  })

  it('stops an instance before it makes another with the same volume', async () => {
    const done: string[] = []
    const driver = harness.over(
      intercepted(harness.calls, CHANGES, (name, call) => {
        done.push(name)
        return call()
      }),
    )
    await settled(driver, machine)
    await settled(driver, { ...machine, password: 'another password' })
    expect(done).toEqual(['createVolume', 'launch', 'attach', 'stop', 'numberLaunch', 'terminate', 'launch', 'attach'])
  })

  it('starts from the newest snapshot of its chain for quick sync', async () => {
    const quick = { ...machine, blueprint: imageBlueprint({ quickSync: true, diskGiB: 20 }) }
    expect(await harness.driver().missing(quick.blueprint)).toMatch(/no snapshot for quick sync.*btc\/mainnet/)
    const { VolumeId } = await harness.client.send(new CreateVolumeCommand({ AvailabilityZone: 'us-east-1a', Size: 10 }))
    const tags = [{ ResourceType: 'snapshot' as const, Tags: [{ Key: 'trestle:data-of', Value: 'btc/mainnet' }] }]
    const { SnapshotId } = await harness.client.send(new CreateSnapshotCommand({ VolumeId, TagSpecifications: tags }))
    await settled(harness.driver(), quick)
    const [volume] = (await harness.calls.resourcesOf(machine.id)).volumes
    const { Volumes } = await harness.client.send(new DescribeVolumesCommand({ VolumeIds: [volume!.id] }))
    expect(Volumes?.[0]).toMatchObject({ SnapshotId, Size: 20, Encrypted: true })
  })

  it('lists its machines, also those with only an instance or a volume, and none of others', async () => {
    const driver = harness.driver()
    await settled(driver, machine)
    await harness.client.send(new RunInstancesCommand({ ImageId: harness.imageId, MinCount: 1, MaxCount: 1, InstanceType: 't3.small' }))
    const volumeOnly = { ...machine, id: `node-${randomUUID()}`, running: false }
    await settled(driver, volumeOnly)
    const owned: string[] = []
    for await (const id of driver.owned()) owned.push(id)
    expect(owned.sort()).toEqual([machine.id, volumeOnly.id].sort())
    for (const id of owned) await removed(driver, { ...machine, id })
    for await (const id of driver.owned()) throw new Error(`${id} is left`)
  })

  it('reports the error of EC2', async () => {
    await expect(harness.calls.terminate('i-00000000000000000')).rejects.toThrow(/^EC2 refused the request: InvalidInstanceID\.NotFound: /)
    await expect(harness.calls.terminate('i-00000000000000000')).rejects.toThrow(DriverUnavailable)
  })

  it('reports that EC2 cannot be reached', async () => {
    const { Ec2Client } = await import('../../src/drivers/ec2/ec2.client.js')
    const lost = harness.over(new Ec2Client({ ...harness.settings, endpoint: 'http://127.0.0.1:1' }))
    await expect(lost.observe(machine)).rejects.toThrow(/^EC2 cannot be reached: .*ECONNREFUSED/)
  })
})
