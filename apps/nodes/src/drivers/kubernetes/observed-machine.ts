import { z } from 'zod'
import type { DesiredMachine, ObservedMachine } from '../driver.js'
import { covers } from './covers.js'
import type { Manifests } from './manifests.js'
import { FIELD_MANAGER, type KubernetesObject } from './objects.js'
import { NODE, rpcPortOf } from './pod.js'
import { bytesOfQuantity } from './quantities.js'

/** The objects of a machine that exist. */
export type MachineObjects = readonly KubernetesObject[]

// Only the members that are read here.
const Condition = z.object({ type: z.string(), status: z.string(), reason: z.string().default(''), message: z.string().default('') })
const Terminated = z.object({ reason: z.string().default(''), message: z.string().default(''), exitCode: z.int() })
const ContainerStatus = z.object({
  name: z.string(),
  state: z
    .object({
      running: z.object({}).optional(),
      waiting: z.object({ reason: z.string().default(''), message: z.string().default('') }).optional(),
      terminated: Terminated.optional(),
    })
    .default({}),
  lastState: z.object({ terminated: Terminated.optional() }).default({}),
})
const PodStatus = z.object({
  phase: z.string().default('Pending'),
  reason: z.string().default(''),
  message: z.string().default(''),
  conditions: z.array(Condition).default([]),
  containerStatuses: z.array(ContainerStatus).default([]),
})
const Claim = z.object({
  spec: z.looseObject({ resources: z.object({ requests: z.object({ storage: z.string() }) }), storageClassName: z.string().optional() }),
  status: z.object({ phase: z.string().optional(), conditions: z.array(Condition).default([]) }).default({ conditions: [] }),
})
const Revisions = z.object({ updateRevision: z.string().optional(), observedGeneration: z.int().optional() })
type PodStatus = z.output<typeof PodStatus>
type ContainerStatus = z.output<typeof ContainerStatus>

// What bitcoind, litecoind and geth print, and what the system's error says.
const DISK_FULL = /no space left on device|disk space is too low|low disk space/i

export function observedOf(found: MachineObjects, machine: DesiredMachine, desired: Manifests): ObservedMachine {
  const pod = podOf(found)
  const status = pod && PodStatus.parse(pod.status ?? {})
  const matches = matchesAll(found, desired)
  const problem = problemOf(found, status, matches)
  return {
    running: status?.containerStatuses.some(({ name, state }) => name === NODE && state.running) ?? false,
    matches,
    instance: {
      region: namespaceOf(found),
      id: machine.id,
      imageId: machine.blueprint.container?.digest ?? '',
      type: machine.blueprint.instanceType,
    },
    address: { host: `${machine.id}.${namespaceOf(found)}.svc`, port: rpcPortOf(machine.blueprint) },
    ...(problem && { problem }),
    ...(status && isFull(status) && { storageFull: true }),
  }
}

/** Whether its pod is of an older revision than its StatefulSet and is not being deleted. */
export function isOutdated(found: MachineObjects): boolean {
  return isOldRevision(found) && podOf(found)?.metadata.deletionTimestamp === undefined
}

/** The desired claim, but never smaller than it is and of the same class: a volume can neither shrink nor change its class. */
export function claimToApply(found: MachineObjects, desired: KubernetesObject): KubernetesObject {
  const present = findObject(found, desired)
  if (!present) return desired
  const [actual, target] = [Claim.parse(present).spec, Claim.parse(desired).spec]
  const [storage, requested] = [actual.resources.requests.storage, target.resources.requests.storage]
  const larger = (bytesOfQuantity(storage) ?? 0) > (bytesOfQuantity(requested) ?? 0) ? storage : requested
  const { storageClassName } = actual
  return { ...desired, spec: { ...target, ...(storageClassName && { storageClassName }), resources: { requests: { storage: larger } } } }
}

export function findObject(found: MachineObjects, { kind, metadata: { name } }: KubernetesObject): KubernetesObject | undefined {
  return found.find((each) => each.kind === kind && each.metadata.name === name)
}

function matchesAll(found: MachineObjects, { root, claim, others }: Manifests): boolean {
  const all = [root, claimToApply(found, claim), ...others]
  const allPresent = all.every((each) => {
    const actual = findObject(found, each)
    return actual && !actual.metadata.deletionTimestamp && covers(actual, each)
  })
  const set = setOf(found)
  return allPresent && set !== undefined && isCurrent(set) && !isOldRevision(found)
}

function isOldRevision(found: MachineObjects): boolean {
  const [pod, set] = [podOf(found), setOf(found)]
  if (!pod || !set || !isCurrent(set)) return false
  const { updateRevision } = Revisions.parse(set.status ?? {})
  return updateRevision !== undefined && pod.metadata.labels?.['controller-revision-hash'] !== updateRevision
}

/** Whether the controller has seen the StatefulSet as it now is; until then its status is of the one before. */
function isCurrent({ status, metadata }: KubernetesObject): boolean {
  return Revisions.parse(status ?? {}).observedGeneration === metadata.generation
}

function problemOf(found: MachineObjects, status: PodStatus | undefined, matches: boolean): string | undefined {
  const ofPod = status && (containersProblem(status) ?? schedulingProblem(status))
  return ofPod ?? claimProblem(found) ?? (matches ? undefined : foreignProblem(found))
}

function containersProblem({ containerStatuses, phase, reason, message }: PodStatus): string | undefined {
  const problem = containerStatuses.map(containerProblem).find((each) => each !== undefined)
  if (problem) return problem
  return phase === 'Failed' ? `Its pod failed: ${sentence(message || reason || 'no reason is given')}` : undefined
}

function containerProblem({ name, state: { waiting, terminated, running }, lastState }: ContainerStatus): string | undefined {
  const ended = terminated ?? lastState.terminated
  switch (waiting?.reason) {
    case 'ErrImagePull':
    case 'ImagePullBackOff':
    case 'InvalidImageName':
      return `The image of container ${name} cannot be pulled: ${sentence(waiting.message || waiting.reason)}`
    case 'CreateContainerConfigError':
    case 'CreateContainerError':
    case 'RunContainerError':
      return `Container ${name} cannot be started: ${sentence(waiting.message || waiting.reason)}`
    case 'CrashLoopBackOff':
      return `Container ${name} keeps exiting${ended ? `, the last time ${endingOf(ended)}` : ''}.`
  }
  if (ended?.reason === 'OOMKilled') return `Container ${name} ran out of memory and was killed${running ? ' once' : ''}.`
  return terminated && `Container ${name} exited unexpectedly, ${endingOf(terminated)}.`
}

function endingOf({ reason, exitCode }: z.output<typeof Terminated>): string {
  return reason === 'OOMKilled' ? 'because it ran out of memory' : `with exit code ${exitCode}`
}

function schedulingProblem({ conditions }: PodStatus): string | undefined {
  const scheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  return scheduled && `Its pod cannot be scheduled: ${sentence(scheduled.message || scheduled.reason)}`
}

function claimProblem(found: MachineObjects): string | undefined {
  const claim = found.find(({ kind }) => kind === 'PersistentVolumeClaim')
  if (!claim) return undefined
  const { phase, conditions } = Claim.parse(claim).status
  if (phase === 'Lost') return 'Its volume is lost, and its data with it.'
  if (phase === 'Pending') return 'It is waiting for its volume.'
  const resizing = conditions.find(({ type, status }) => /Resiz/.test(type) && status === 'True')
  return resizing && `Its volume is being enlarged${resizing.message ? `: ${sentence(resizing.message)}` : '.'}`
}

/** A manager that applies the same fields would revert our changes. */
function foreignProblem(found: MachineObjects): string | undefined {
  for (const { kind, metadata } of found) {
    const other = metadata.managedFields?.find(
      ({ manager, operation, fieldsV1 }) => operation === 'Apply' && manager !== FIELD_MANAGER && fieldsV1 && 'f:spec' in fieldsV1,
    )
    if (other) return `${other.manager} manages fields of the ${kind} ${metadata.name} that Trestle has to manage.`
  }
  return undefined
}

function isFull({ containerStatuses }: PodStatus): boolean {
  return containerStatuses.some(({ state, lastState }) =>
    [state.terminated, lastState.terminated].some((each) => each && DISK_FULL.test(each.message)),
  )
}

function podOf(found: MachineObjects): KubernetesObject | undefined {
  return found.find(({ kind }) => kind === 'Pod')
}

function setOf(found: MachineObjects): KubernetesObject | undefined {
  return found.find(({ kind }) => kind === 'StatefulSet')
}

function namespaceOf([first]: MachineObjects): string {
  return first?.metadata.namespace ?? 'default'
}

/** One line with a full stop, at most 300 characters. */
function sentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
  return /[.!?]$/.test(line) ? line : `${line}.`
}
