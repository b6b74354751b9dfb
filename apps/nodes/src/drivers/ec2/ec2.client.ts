import {
  AttachVolumeCommand,
  CreateTagsCommand,
  CreateVolumeCommand,
  DeleteVolumeCommand,
  DescribeImagesCommand,
  DescribeSnapshotsCommand,
  DescribeSubnetsCommand,
  EC2Client,
  type Filter,
  GetConsoleOutputCommand,
  type Image,
  type Instance,
  ModifyVolumeCommand,
  paginateDescribeInstances,
  paginateDescribeVolumes,
  type ResourceType,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  StartInstancesCommand,
  StopInstancesCommand,
  type Tag,
  TerminateInstancesCommand,
  type Volume,
} from '@aws-sdk/client-ec2'
import type { Blueprint } from '../../catalogue/blueprint.js'
import { DriverUnavailable } from '../driver.js'
import type { Fleet, InstanceState, SeenInstance, SeenVolume } from './fleet.js'
import { LaunchUsed } from './launch-used.js'
import { DEVICE } from './user-data.js'

export interface Ec2Settings {
  readonly installation: string
  readonly region: string
  readonly subnet: string
  readonly securityGroups: readonly string[]
  /** Another than Amazon's. */
  readonly endpoint?: string
}

export interface Launch {
  readonly id: string
  readonly number: number
  readonly spec: string
  readonly imageId: string
  readonly type: string
  readonly userData: string
}

const MACHINE = 'trestle:machine'
const INSTALLATION = 'trestle:installation'
const SPEC = 'trestle:spec'
const LAUNCH = 'trestle:launch'
const STOPPED = 'trestle:stopped'
/** Of a snapshot: the chain and the network whose data it has, as `btc/mainnet`. */
const DATA_OF = 'trestle:data-of'
const TIMEOUT_MS = 15_000

/** Speaks with EC2 about one installation's machines: what their tags say is all there is to know. */
export class Ec2Calls {
  private readonly client: EC2Client
  private zone?: string

  constructor(private readonly settings: Ec2Settings) {
    const { region, endpoint } = settings
    // Credentials are found as all of Amazon's tools find them: in the environment, a profile, the role of the pod or instance.
    this.client = new EC2Client({ region, endpoint, requestHandler: { requestTimeout: TIMEOUT_MS, connectionTimeout: 5_000 } })
  }

  async fleetOf(id: string): Promise<Fleet> {
    const filters = [...this.ofInstallation(), { Name: `tag:${MACHINE}`, Values: [id] }]
    const [instances, volumes] = await Promise.all([this.instances(filters), this.volumes(filters)])
    return { instances: instances.map(seenInstance), volumes: volumes.map(seenVolume) }
  }

  /** Of all machines of the installation, by their ids. */
  async fleets(): Promise<ReadonlyMap<string, Fleet>> {
    const [instances, volumes] = await Promise.all([this.instances(this.ofInstallation()), this.volumes(this.ofInstallation())])
    const fleets = new Map<string, { instances: SeenInstance[]; volumes: SeenVolume[] }>()
    const fleetOf = (tags?: readonly Tag[]) => {
      const id = tag(tags, MACHINE)
      const fleet = fleets.get(id) ?? { instances: [], volumes: [] }
      fleets.set(id, fleet)
      return fleet
    }
    for (const instance of instances) fleetOf(instance.Tags).instances.push(seenInstance(instance))
    for (const volume of volumes) fleetOf(volume.Tags).volumes.push(seenVolume(volume))
    return fleets
  }

  /** The newest of our own whose name begins so. */
  async imageFor({ amiPrefix }: Blueprint): Promise<string | undefined> {
    const command = new DescribeImagesCommand({
      Owners: ['self'],
      // Of what somebody has put into a name, no star or question mark is to stand for anything.
      Filters: [
        { Name: 'name', Values: [`${amiPrefix.replaceAll(/[\\*?]/g, '\\$&')}*`] },
        { Name: 'state', Values: ['available'] },
      ],
    })
    const { Images = [] } = await this.ask(() => this.client.send(command))
    return newest(Images, ({ CreationDate }: Image) => CreationDate ?? '')?.ImageId
  }

  /** The newest of our own with the data of that chain. */
  async snapshotFor({ chain, network }: Blueprint): Promise<string | undefined> {
    const filters = [
      { Name: `tag:${DATA_OF}`, Values: [`${chain}/${network}`] },
      { Name: 'status', Values: ['completed'] },
    ]
    const { Snapshots = [] } = await this.ask(() =>
      this.client.send(new DescribeSnapshotsCommand({ OwnerIds: ['self'], Filters: filters })),
    )
    return newest(Snapshots, ({ StartTime }) => StartTime?.toISOString() ?? '')?.SnapshotId
  }

  async createVolume(id: string, sizeGiB: number, snapshotId?: string): Promise<void> {
    const command = new CreateVolumeCommand({
      AvailabilityZone: await this.zoneOfSubnet(),
      Size: sizeGiB,
      SnapshotId: snapshotId,
      VolumeType: 'gp3',
      Encrypted: true,
      ClientToken: id,
      TagSpecifications: [this.tagged('volume', { [MACHINE]: id, [LAUNCH]: '1' })],
    })
    await this.ask(() => this.client.send(command))
  }

  async launch(launch: Launch): Promise<void> {
    await this.ask(() => this.client.send(new RunInstancesCommand(this.launchInput(launch))))
  }

  /** Asks for one instance. */
  launchInput({ id, number, spec, imageId, type, userData }: Launch): RunInstancesCommandInput {
    const { subnet, securityGroups } = this.settings
    return {
      // Asked twice, Amazon makes one.
      ClientToken: `${id}/${number}`,
      MinCount: 1,
      MaxCount: 1,
      ImageId: imageId,
      InstanceType: type as Instance['InstanceType'],
      SubnetId: subnet,
      SecurityGroupIds: [...securityGroups],
      UserData: Buffer.from(userData).toString('base64'),
      // Its metadata only with a session (IMDSv2), and not through another's hop.
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      // Otherwise a program that shuts the system down would have it thrown away.
      InstanceInitiatedShutdownBehavior: 'stop',
      TagSpecifications: [this.tagged('instance', { [MACHINE]: id, [SPEC]: spec, [LAUNCH]: String(number) })],
    }
  }

  async numberLaunch(volume: string, launch: number): Promise<void> {
    await this.ask(() => this.client.send(new CreateTagsCommand({ Resources: [volume], Tags: [{ Key: LAUNCH, Value: String(launch) }] })))
  }

  async attach(volume: string, instance: string): Promise<void> {
    await this.ask(() => this.client.send(new AttachVolumeCommand({ VolumeId: volume, InstanceId: instance, Device: DEVICE })))
  }

  async resize(volume: string, sizeGiB: number): Promise<void> {
    await this.ask(() => this.client.send(new ModifyVolumeCommand({ VolumeId: volume, Size: sizeGiB })))
  }

  async deleteVolume(volume: string): Promise<void> {
    await this.ask(() => this.client.send(new DeleteVolumeCommand({ VolumeId: volume })))
  }

  async start(instance: string): Promise<void> {
    await this.say(instance, 'no')
    await this.ask(() => this.client.send(new StartInstancesCommand({ InstanceIds: [instance] })))
  }

  /** Said first, so that its end is not taken for an accident. */
  async stop(instance: string): Promise<void> {
    await this.say(instance, 'yes')
    await this.ask(() => this.client.send(new StopInstancesCommand({ InstanceIds: [instance] })))
  }

  async terminate(instance: string): Promise<void> {
    await this.ask(() => this.client.send(new TerminateInstancesCommand({ InstanceIds: [instance] })))
  }

  /** What it wrote on its console lately; empty until Amazon has it. */
  async console(instance: string): Promise<string> {
    const { Output = '' } = await this.ask(() => this.client.send(new GetConsoleOutputCommand({ InstanceId: instance })))
    return Buffer.from(Output, 'base64').toString()
  }

  close(): void {
    this.client.destroy()
  }

  private async say(instance: string, stopped: 'yes' | 'no'): Promise<void> {
    await this.ask(() => this.client.send(new CreateTagsCommand({ Resources: [instance], Tags: [{ Key: STOPPED, Value: stopped }] })))
  }

  private instances(filters: Filter[]): Promise<Instance[]> {
    return this.ask(async () => {
      const found: Instance[] = []
      for await (const { Reservations = [] } of paginateDescribeInstances({ client: this.client }, { Filters: filters }))
        found.push(...Reservations.flatMap(({ Instances = [] }) => Instances))
      return found
    })
  }

  private volumes(filters: Filter[]): Promise<Volume[]> {
    return this.ask(async () => {
      const found: Volume[] = []
      for await (const { Volumes = [] } of paginateDescribeVolumes({ client: this.client }, { Filters: filters })) found.push(...Volumes)
      return found
    })
  }

  private async zoneOfSubnet(): Promise<string | undefined> {
    const command = new DescribeSubnetsCommand({ SubnetIds: [this.settings.subnet] })
    this.zone ??= (await this.ask(() => this.client.send(command))).Subnets?.[0]?.AvailabilityZone
    return this.zone
  }

  private ofInstallation(): Filter[] {
    return [{ Name: `tag:${INSTALLATION}`, Values: [this.settings.installation] }]
  }

  private tagged(kind: ResourceType, tags: Record<string, string>) {
    const all = { ...tags, [INSTALLATION]: this.settings.installation, Name: tags[MACHINE] ?? '' }
    return { ResourceType: kind, Tags: Object.entries(all).map(([Key, Value]) => ({ Key, Value })) }
  }

  private async ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      throw refusalOf(error)
    }
  }
}

function refusalOf(error: unknown): Error {
  const { name, message, $fault } = error as Error & { $fault?: string }
  const told = message.slice(0, 300)
  // Only what Amazon has answered says whose fault it is.
  if ($fault === undefined) return new DriverUnavailable(`EC2 cannot be reached: ${told}`)
  if (name === 'IdempotentInstanceTerminated') return new LaunchUsed('EC2 knows this launch of an instance that is gone.')
  return new DriverUnavailable(`EC2 refuses: ${name}: ${told}`)
}

function seenInstance({ InstanceId, State, LaunchTime, Tags, PrivateIpAddress, ...rest }: Instance): SeenInstance {
  return {
    id: InstanceId ?? '',
    state: (State?.Name ?? 'pending') as InstanceState,
    launchedAt: LaunchTime?.getTime() ?? 0,
    spec: tag(Tags, SPEC),
    launch: Number(tag(Tags, LAUNCH)),
    stoppedByUs: tag(Tags, STOPPED) === 'yes',
    privateIp: PrivateIpAddress,
    imageId: rest.ImageId ?? '',
    type: rest.InstanceType ?? '',
    reason: rest.StateReason?.Message,
  }
}

function seenVolume({ VolumeId, State, CreateTime, Size, Tags, Attachments = [] }: Volume): SeenVolume {
  const attached = Attachments.find((each) => each.State === 'attached')
  return {
    id: VolumeId ?? '',
    state: State ?? '',
    createdAt: CreateTime?.getTime() ?? 0,
    sizeGiB: Size ?? 0,
    launch: Number(tag(Tags, LAUNCH)),
    attachedTo: attached?.InstanceId,
  }
}

function tag(tags: readonly Tag[] = [], name: string): string {
  return tags.find(({ Key }) => Key === name)?.Value ?? ''
}

function newest<T>(all: readonly T[], dateOf: (each: T) => string): T | undefined {
  return all.toSorted((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1))[0]
}
