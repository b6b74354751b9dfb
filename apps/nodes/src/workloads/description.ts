import type { Cluster, CreatedCluster } from '@trestle/contracts/nodes/clusters'
import type { CreatedNode, Node } from '@trestle/contracts/nodes/nodes'
import type { Condition, Sight } from '@trestle/contracts/nodes/shapes'
import type { DriverVendor } from '../drivers/driver.js'
import { type GrantedPlan, planData } from '../plans/granted-plan.js'
import { type Machine, phaseOf, type Workload, type WorkloadWithMachines } from './workload.js'

/** What is known besides the workload itself. */
export interface Surroundings {
  readonly plan: GrantedPlan
  readonly vendor: DriverVendor
  /** The gateway's, as callers see it. */
  readonly gatewayUrl: string
  /** Opened; undefined where nobody is to be told. */
  readonly password?: string
}

export function describeNode(full: WorkloadWithMachines, surroundings: Surroundings): Node {
  return { ...listed(full, surroundings), instance: instanceOf(full.machines[0], full.workload, surroundings) }
}

/** As administrators see what is somebody else's: they run it, and do not call it. */
export function withoutAuth<T extends { auth: unknown }>({ auth, ...rest }: T): Omit<T, 'auth'> {
  return rest
}

/** The specified creation shape, and the listing shape with it. */
export function describeCreatedNode(full: WorkloadWithMachines, surroundings: Surroundings): CreatedNode {
  const { workload, machines } = full
  const { instanceType: type } = workload.blueprint
  const instance = { ...instanceOf(machines[0], workload, surroundings), vendor: surroundings.vendor.name, type }
  return { ...listed(full, surroundings), ...created(workload, surroundings), instance }
}

export function describeCluster(full: WorkloadWithMachines, surroundings: Surroundings): Cluster {
  const { workload, machines } = full
  const ready = machines.filter(({ phase, drainingSince }) => phase === 'ready' && !drainingSince).length
  return {
    ...listed(full, surroundings),
    name: workload.alias ?? `${workload.blueprint.chain}-${workload.id.slice(-12)}`,
    alias: workload.alias ?? null,
    domain: new URL(surroundings.gatewayUrl).hostname,
    capacity: workload.capacity,
    region: surroundings.vendor.region,
    // While it is changed it has one more.
    healthCount: Math.min(ready, workload.capacity),
    updatingService: workload.nextBlueprint?.serviceId ?? null,
  }
}

export function describeCreatedCluster(full: WorkloadWithMachines, surroundings: Surroundings): CreatedCluster {
  return { ...describeCluster(full, surroundings), ...created(full.workload, surroundings) }
}

export function describeStatus({ workload, machines }: WorkloadWithMachines) {
  // What is farthest behind is what there is to know of several.
  const [first] = [...machines].sort((a, b) => (a.sight.height ?? -1) - (b.sight.height ?? -1))
  return {
    state: workload.desiredState,
    phase: phaseOf(workload, machines),
    conditions: conditionsOf(machines),
    ...describeSight(first),
    asOf: first?.seenAt?.toISOString() ?? null,
  }
}

export function describeMembers(machines: readonly Machine[]) {
  return machines.map((machine) => {
    const { id, phase, blueprint } = machine
    return { id, software: blueprint.software, phase, ...describeSight(machine) }
  })
}

function describeSight(machine?: Machine): Sight {
  const { height = null, lag = null, progress = null, peers = null, diskBytes = null } = machine?.sight ?? {}
  return { height, lag, progress, peers, diskBytes }
}

function listed(full: WorkloadWithMachines, surroundings: Surroundings): Omit<Node, 'id' | 'instance'> & { id: string } {
  const { workload, machines } = full
  const { blueprint } = workload
  const { vendor, gatewayUrl, plan } = surroundings
  const { hostname, port, protocol } = new URL(gatewayUrl)
  // The door of all of them, where one has no address of its own.
  const own =
    workload.port === undefined ? { ip: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) } : ownAddress(workload.port)
  return {
    id: workload.id,
    user: workload.userId,
    chain: blueprint.chain,
    network: blueprint.network,
    state: workload.desiredState,
    service: blueprint.serviceId,
    ip: own.ip,
    ttl: String(Math.floor(workload.expiresAt.getTime() / 1000)),
    ...timesOf(workload),
    serviceData: { amiPrefix: blueprint.amiPrefix, performance: blueprint.performance, software: blueprint.software, ports: [own.port] },
    userPlanData: planData(plan),
    vendor: {
      ...vendor,
      securityGroups: [...vendor.securityGroups],
      instanceType: blueprint.instanceType,
      quickSync: blueprint.quickSync,
    },
    auth: authOf(workload, surroundings),
    url: `${gatewayUrl}/rpc/${workload.id}`,
    allowedIps: [...workload.allowedIps],
    phase: phaseOf(workload, machines),
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

function created({ blueprint, authType, authUser }: Workload, { password = '' }: Surroundings) {
  const [nodeUser, nodePass] = authType === 'basic' ? [authUser, password] : ['', '']
  return { image: blueprint.chain, version: blueprint.version, nodeUser, nodePass }
}

function authOf({ authType, authUser }: Workload, { password }: Surroundings) {
  return authType === 'basic' ? { type: authType, user: authUser, pass: password } : { type: authType }
}

function instanceOf(machine: Machine | undefined, { blueprint }: Workload, { vendor }: Surroundings) {
  const { region, id, imageId } = machine?.instance ?? { region: vendor.region, id: '', imageId: blueprint.software }
  return { region, id, imageId }
}

/** Of several machines, for each condition the worst of them. */
function conditionsOf(machines: readonly Machine[]): Condition[] {
  const worst = new Map<string, Condition>()
  for (const condition of machines.flatMap(({ conditions }) => conditions)) {
    const known = worst.get(condition.type)
    if (!known || BADNESS[condition.status] > BADNESS[known.status]) worst.set(condition.type, condition)
  }
  return [...worst.values()]
}

const BADNESS = { true: 0, unknown: 1, false: 2 } as const
