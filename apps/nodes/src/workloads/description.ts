import type { Cluster, CreatedCluster } from '@trestle/contracts/nodes/clusters'
import type { CreatedNode, Node } from '@trestle/contracts/nodes/nodes'
import type { Condition, NodeObservation } from '@trestle/contracts/nodes/shapes'
import type { DriverVendor } from '../drivers/driver.js'
import { type GrantedPlan, planData } from '../plans/granted-plan.js'
import { type Machine, type Workload, type WorkloadWithMachines, workloadPhaseOf } from './workload.js'

/** What a description shows besides the workload itself. */
export interface DescriptionContext {
  readonly plan: GrantedPlan
  readonly vendor: DriverVendor
  /** The gateway's public URL. */
  readonly gatewayUrl: string
  readonly password: string
}

export function describeNode(full: WorkloadWithMachines, context: DescriptionContext): Node {
  return { ...listed(full, context), instance: instanceOf(full.machines[0], full.workload, context) }
}

/** For administrators, who do not call the nodes of others. */
export function withoutAuth<T extends { auth: unknown }>({ auth, ...rest }: T): Omit<T, 'auth'> {
  return rest
}

/** The shape of a creation, together with that of a list. */
export function describeCreatedNode(full: WorkloadWithMachines, context: DescriptionContext): CreatedNode {
  const { workload, machines } = full
  const { instanceType: type } = workload.blueprint
  const instance = { ...instanceOf(machines[0], workload, context), vendor: context.vendor.name, type }
  return { ...listed(full, context), ...created(workload, context), instance }
}

export function describeCluster(full: WorkloadWithMachines, context: DescriptionContext): Cluster {
  const { workload, machines } = full
  const ready = machines.filter(({ phase, drainingSince }) => phase === 'ready' && !drainingSince).length
  return {
    ...listed(full, context),
    name: workload.alias ?? `${workload.blueprint.chain}-${workload.id.slice(-12)}`,
    alias: workload.alias,
    domain: new URL(context.gatewayUrl).hostname,
    capacity: workload.capacity,
    region: context.vendor.region,
    // While it changes it has one more machine.
    healthCount: Math.min(ready, workload.capacity),
    updatingService: workload.nextBlueprint?.serviceId ?? null,
  }
}

export function describeCreatedCluster(full: WorkloadWithMachines, context: DescriptionContext): CreatedCluster {
  return { ...describeCluster(full, context), ...created(full.workload, context) }
}

export function describeStatus({ workload, machines }: WorkloadWithMachines) {
  // Of several machines, the one that is farthest behind.
  const [first] = [...machines].sort((a, b) => (a.readings.height ?? -1) - (b.readings.height ?? -1))
  return {
    state: workload.desiredState,
    phase: workloadPhaseOf(workload, machines),
    conditions: conditionsOf(machines),
    ...describeReadings(first),
    asOf: first?.observedAt?.toISOString() ?? null,
  }
}

export function describeMembers(machines: readonly Machine[]) {
  return machines.map((machine) => {
    const { id, phase, blueprint } = machine
    return { id, software: blueprint.software, phase, ...describeReadings(machine) }
  })
}

function describeReadings(machine?: Machine): NodeObservation {
  const { height = null, lag = null, progress = null, peers = null, diskBytes = null } = machine?.readings ?? {}
  return { height, lag, progress, peers, diskBytes }
}

function listed(full: WorkloadWithMachines, context: DescriptionContext): Omit<Node, 'id' | 'instance'> & { id: string } {
  const { workload, machines } = full
  const { blueprint } = workload
  const { vendor, gatewayUrl, plan } = context
  const { hostname, port, protocol } = new URL(gatewayUrl)
  // The gateway's address if it has none of its own.
  const own =
    workload.port === null ? { ip: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) } : ownAddress(workload.port)
  return {
    id: workload.id,
    user: workload.userId,
    organization: workload.organizationId,
    chain: blueprint.chain,
    network: blueprint.network,
    state: workload.desiredState,
    service: blueprint.serviceId,
    ip: own.ip,
    ttl: String(Math.floor(workload.expiresAt.getTime() / 1000)),
    ...timesOf(workload),
    purgeAt: workload.purgeAt?.toISOString(),
    serviceData: { amiPrefix: blueprint.amiPrefix, performance: blueprint.performance, software: blueprint.software, ports: [own.port] },
    userPlanData: planData(plan),
    vendor: {
      ...vendor,
      securityGroups: [...vendor.securityGroups],
      instanceType: blueprint.instanceType,
      quickSync: blueprint.quickSync,
    },
    auth: authOf(workload, context),
    url: `${gatewayUrl}/rpc/${workload.id}`,
    allowedIps: [...workload.allowedIps],
    phase: workloadPhaseOf(workload, machines),
    conditions: conditionsOf(machines),
  }
}

function ownAddress(port: number) {
  return { ip: '127.0.0.1', port }
}

function timesOf({ createdAt, updatedAt, startedAt, stoppedAt }: Workload) {
  return {
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    stoppedAt: stoppedAt?.toISOString() ?? null,
  }
}

function created({ blueprint, authType, authUser }: Workload, { password }: DescriptionContext) {
  const [nodeUser, nodePass] = authType === 'basic' ? [authUser, password] : ['', '']
  return { image: blueprint.chain, version: blueprint.version, nodeUser, nodePass }
}

function authOf({ authType, authUser }: Workload, { password }: DescriptionContext) {
  return authType === 'basic' ? { type: authType, user: authUser, pass: password } : { type: authType }
}

function instanceOf(machine: Machine | undefined, { blueprint }: Workload, { vendor }: DescriptionContext) {
  const { region, id, imageId } = machine?.instance ?? { region: vendor.region, id: '', imageId: blueprint.software }
  return { region, id, imageId }
}

/** The worst of each condition among several machines. */
function conditionsOf(machines: readonly Machine[]): Condition[] {
  const worst = new Map<string, Condition>()
  for (const condition of machines.flatMap(({ conditions }) => conditions)) {
    const known = worst.get(condition.type)
    if (!known || BADNESS[condition.status] > BADNESS[known.status]) worst.set(condition.type, condition)
  }
  return [...worst.values()]
}

const BADNESS: Record<Condition['status'], number> = { true: 0, unknown: 1, false: 2 }
