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
import { messageOf, textMember } from '@trestle/problem/thrown'
import type { Blueprint } from '../../catalogue/blueprint.js'
import { DriverUnavailable } from '../driver.js'
import { LaunchUsed } from './launch-used.js'
import type { Ec2Instance, Ec2Volume, MachineResources } from './machine-resources.js'
import { DEVICE } from './user-data.js'

export interface Ec2Settings {
  readonly installation: string
  readonly region: string
  readonly subnet: string
  readonly securityGroups: readonly string[]
  /** For tests; Amazon's if left out. */
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
/** The tag of a snapshot: the chain and network of its data, as `btc/mainnet`. */
const DATA_OF = 'trestle:data-of'
const TIMEOUT_MS = 15_000

/** EC2's API for one installation's machines; their whole state is in their tags. */
export class Ec2Client {
  private readonly client: EC2Client
  private zone?: string

  constructor(private readonly settings: Ec2Settings) {
    const { region, endpoint } = settings
    // Credentials come from the SDK's default chain: environment, profile, the role of the pod or instance.
    this.client = new EC2Client({ region, endpoint, requestHandler: { requestTimeout: TIMEOUT_MS, connectionTimeout: 5_000 } })
  }

  async resourcesOf(id: string): Promise<MachineResources> {
    const filters = [...this.ofInstallation(), { Name: `tag:${MACHINE}`, Values: [id] }]
    const [instances, volumes] = await Promise.all([this.instances(filters), this.volumes(filters)])
    return { instances: instances.map(instanceOf), volumes: volumes.map(volumeOf) }
  }

  /** Those of all machines of the installation, by machine id. */
  async allResources(): Promise<ReadonlyMap<string, MachineResources>> {
    const [instances, volumes] = await Promise.all([this.instances(this.ofInstallation()), this.volumes(this.ofInstallation())])
    const resources = new Map<string, { instances: Ec2Instance[]; volumes: Ec2Volume[] }>()
    const ofTags = (tags?: readonly Tag[]) => {
      const id = tag(tags, MACHINE)
      const known = resources.get(id) ?? { instances: [], volumes: [] }
      resources.set(id, known)
      return known
    }
    for (const instance of instances) ofTags(instance.Tags).instances.push(instanceOf(instance))
    for (const volume of volumes) ofTags(volume.Tags).volumes.push(volumeOf(volume))
    return resources
  }

  /** The newest image of this account whose name begins with the prefix. */
  async imageFor({ amiPrefix }: Blueprint): Promise<string | undefined> {
    const command = new DescribeImagesCommand({
      Owners: ['self'],
      // Escaped: a star or question mark in the prefix is no wildcard.
      Filters: [
        { Name: 'name', Values: [`${amiPrefix.replaceAll(/[\\*?]/g, '\\$&')}*`] },
        { Name: 'state', Values: ['available'] },
      ],
    })
    const { Images = [] } = await this.send(() => this.client.send(command))
    return newest(Images, ({ CreationDate }: Image) => CreationDate ?? '')?.ImageId
  }

  /** The newest snapshot of this account with the data of that chain. */
  async snapshotFor({ chain, network }: Blueprint): Promise<string | undefined> {
    const filters = [
      { Name: `tag:${DATA_OF}`, Values: [`${chain}/${network}`] },
      { Name: 'status', Values: ['completed'] },
    ]
    const { Snapshots = [] } = await this.send(() =>
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
      TagSpecifications: [this.tagsFor('volume', { [MACHINE]: id, [LAUNCH]: '1' })],
    })
    await this.send(() => this.client.send(command))
  }

  async launch(launch: Launch): Promise<void> {
    await this.send(() => this.client.send(new RunInstancesCommand(this.launchInput(launch))))
  }

  launchInput({ id, number, spec, imageId, type, userData }: Launch): RunInstancesCommandInput {
    const { subnet, securityGroups } = this.settings
    return {
      // Makes the request idempotent.
      ClientToken: `${id}/${number}`,
      MinCount: 1,
      MaxCount: 1,
      ImageId: imageId,
      InstanceType: type as Instance['InstanceType'],
      SubnetId: subnet,
      SecurityGroupIds: [...securityGroups],
      UserData: Buffer.from(userData).toString('base64'),
      // IMDSv2 only, and not through another hop.
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      // Otherwise a shutdown from within would terminate it.
      InstanceInitiatedShutdownBehavior: 'stop',
      TagSpecifications: [this.tagsFor('instance', { [MACHINE]: id, [SPEC]: spec, [LAUNCH]: String(number) })],
    }
  }

  async numberLaunch(volume: string, launch: number): Promise<void> {
    await this.send(() => this.client.send(new CreateTagsCommand({ Resources: [volume], Tags: [{ Key: LAUNCH, Value: String(launch) }] })))
  }

  async attach(volume: string, instance: string): Promise<void> {
    await this.send(() => this.client.send(new AttachVolumeCommand({ VolumeId: volume, InstanceId: instance, Device: DEVICE })))
  }

  async resize(volume: string, sizeGiB: number): Promise<void> {
    await this.send(() => this.client.send(new ModifyVolumeCommand({ VolumeId: volume, Size: sizeGiB })))
  }

  async deleteVolume(volume: string): Promise<void> {
    await this.send(() => this.client.send(new DeleteVolumeCommand({ VolumeId: volume })))
  }

  async start(instance: string): Promise<void> {
    await this.tagStopped(instance, 'no')
    await this.send(() => this.client.send(new StartInstancesCommand({ InstanceIds: [instance] })))
  }

  /** Tagged first, so that the stop is not taken for a crash. */
  async stop(instance: string): Promise<void> {
    await this.tagStopped(instance, 'yes')
    await this.send(() => this.client.send(new StopInstancesCommand({ InstanceIds: [instance] })))
  }

  async terminate(instance: string): Promise<void> {
    await this.send(() => this.client.send(new TerminateInstancesCommand({ InstanceIds: [instance] })))
  }

  /** Its recent console output; empty until EC2 has it. */
  async console(instance: string): Promise<string> {
    const { Output = '' } = await this.send(() => this.client.send(new GetConsoleOutputCommand({ InstanceId: instance })))
    return Buffer.from(Output, 'base64').toString()
  }

  close(): void {
    this.client.destroy()
  }

  private async tagStopped(instance: string, stopped: 'yes' | 'no'): Promise<void> {
    await this.send(() => this.client.send(new CreateTagsCommand({ Resources: [instance], Tags: [{ Key: STOPPED, Value: stopped }] })))
  }

  private instances(filters: Filter[]): Promise<Instance[]> {
    return this.send(async () => {
      const found: Instance[] = []
      for await (const { Reservations = [] } of paginateDescribeInstances({ client: this.client }, { Filters: filters }))
        found.push(...Reservations.flatMap(({ Instances = [] }) => Instances))
      return found
    })
  }

  private volumes(filters: Filter[]): Promise<Volume[]> {
    return this.send(async () => {
      const found: Volume[] = []
      for await (const { Volumes = [] } of paginateDescribeVolumes({ client: this.client }, { Filters: filters })) found.push(...Volumes)
      return found
    })
  }

  private async zoneOfSubnet(): Promise<string | undefined> {
    const command = new DescribeSubnetsCommand({ SubnetIds: [this.settings.subnet] })
    this.zone ??= (await this.send(() => this.client.send(command))).Subnets?.[0]?.AvailabilityZone
    return this.zone
  }

  private ofInstallation(): Filter[] {
    return [{ Name: `tag:${INSTALLATION}`, Values: [this.settings.installation] }]
  }

  private tagsFor(kind: ResourceType, tags: Record<string, string>) {
    const all = { ...tags, [INSTALLATION]: this.settings.installation, Name: tags[MACHINE] ?? '' }
    return { ResourceType: kind, Tags: Object.entries(all).map(([Key, Value]) => ({ Key, Value })) }
  }

  private async send<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      throw driverErrorOf(error)
    }
  }
}

function driverErrorOf(error: unknown): Error {
  const reason = messageOf(error).slice(0, 300)
  // `$fault` is set only if EC2 has answered.
  if (textMember(error, '$fault') === undefined) return new DriverUnavailable(`EC2 cannot be reached: ${reason}`)
  const name = textMember(error, 'name')
  if (name === 'IdempotentInstanceTerminated') return new LaunchUsed('The client token belongs to an instance that is terminated.')
  return new DriverUnavailable(`EC2 refused the request: ${name}: ${reason}`)
}

function instanceOf({ InstanceId, State, LaunchTime, Tags, PrivateIpAddress, ...rest }: Instance): Ec2Instance {
  return {
    id: InstanceId ?? '',
    state: State?.Name ?? 'pending',
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

function volumeOf({ VolumeId, State, CreateTime, Size, Tags, Attachments = [] }: Volume): Ec2Volume {
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
