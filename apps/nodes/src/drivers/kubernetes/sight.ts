import { z } from 'zod'
import type { DesiredMachine, ObservedMachine } from '../driver.js'
import { covers } from './covers.js'
import type { Manifests } from './manifests.js'
import { FIELD_MANAGER, type KubernetesObject } from './objects.js'
import { NODE, rpcPortOf } from './pod.js'
import { bytesOfQuantity } from './quantities.js'

/** What there is of a machine. */
export type Found = readonly KubernetesObject[]

// Of whatever the API server tells, only what is read here.
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
  spec: z.object({ resources: z.object({ requests: z.object({ storage: z.string() }) }), storageClassName: z.string().optional() }),
  status: z.object({ phase: z.string().optional(), conditions: z.array(Condition).default([]) }).default({ conditions: [] }),
})
const Revisions = z.object({ updateRevision: z.string().optional(), observedGeneration: z.int().optional() })
type PodStatus = z.output<typeof PodStatus>
type ContainerStatus = z.output<typeof ContainerStatus>

// In the last words of bitcoind and litecoind, geth, and whatever asks the system.
const DISK_FULL = /no space left on device|disk space is too low|low disk space/i

export function sightOf(found: Found, machine: DesiredMachine, wanted: Manifests): ObservedMachine {
  const pod = podOf(found)
  const status = pod && PodStatus.parse(pod.status ?? {})
  const matches = matchesAll(found, wanted)
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

/** Whether its pod is of an older making than the StatefulSet now is, and nobody has told it to go. */
export function isOutdated(found: Found): boolean {
  return isOfOldMaking(found) && podOf(found)?.metadata.deletionTimestamp === undefined
}

/** The claim, never smaller than it is: a volume cannot shrink. Nor can it be of another class. */
export function claimToApply(found: Found, wanted: KubernetesObject): KubernetesObject {
  const there = find(found, wanted)
  if (!there) return wanted
  const [actual, desired] = [Claim.parse(there).spec, Claim.parse(wanted).spec]
  const [storage, asked] = [actual.resources.requests.storage, desired.resources.requests.storage]
  const larger = (bytesOfQuantity(storage) ?? 0) > (bytesOfQuantity(asked) ?? 0) ? storage : asked
  const { storageClassName } = actual
  const spec = wanted.spec as object
  return { ...wanted, spec: { ...spec, ...(storageClassName && { storageClassName }), resources: { requests: { storage: larger } } } }
}

export function find(found: Found, { kind, metadata: { name } }: KubernetesObject): KubernetesObject | undefined {
  return found.find((each) => each.kind === kind && each.metadata.name === name)
}

function matchesAll(found: Found, { root, claim, others }: Manifests): boolean {
  const all = [root, claimToApply(found, claim), ...others]
  const isThere = all.every((each) => {
    const actual = find(found, each)
    return actual && !actual.metadata.deletionTimestamp && covers(actual, each)
  })
  const set = setOf(found)
  return isThere && set !== undefined && isFollowed(set) && !isOfOldMaking(found)
}

function isOfOldMaking(found: Found): boolean {
  const [pod, set] = [podOf(found), setOf(found)]
  if (!pod || !set || !isFollowed(set)) return false
  const { updateRevision } = Revisions.parse(set.status ?? {})
  return updateRevision !== undefined && pod.metadata.labels?.['controller-revision-hash'] !== updateRevision
}

/** Before its controller has seen what the StatefulSet now is, nobody knows what its pod should be. */
function isFollowed({ status, metadata }: KubernetesObject): boolean {
  return Revisions.parse(status ?? {}).observedGeneration === metadata.generation
}

function problemOf(found: Found, status: PodStatus | undefined, matches: boolean): string | undefined {
  const ofPod = status && (containersProblem(status) ?? schedulingProblem(status))
  return ofPod ?? claimProblem(found) ?? (matches ? undefined : foreignProblem(found))
}

function containersProblem({ containerStatuses, phase, reason, message }: PodStatus): string | undefined {
  const said = containerStatuses.map(containerProblem).find((problem) => problem !== undefined)
  if (said) return said
  return phase === 'Failed' ? `Its pod was ended: ${sentence(message || reason || 'nobody says why')}` : undefined
}

function containerProblem({ name, state: { waiting, terminated, running }, lastState }: ContainerStatus): string | undefined {
  const ended = terminated ?? lastState.terminated
  switch (waiting?.reason) {
    case 'ErrImagePull':
    case 'ImagePullBackOff':
    case 'InvalidImageName':
      return `The image of its container ${name} cannot be had: ${sentence(waiting.message || waiting.reason)}`
    case 'CreateContainerConfigError':
    case 'CreateContainerError':
    case 'RunContainerError':
      return `Its container ${name} cannot be started: ${sentence(waiting.message || waiting.reason)}`
    case 'CrashLoopBackOff':
      return `Its container ${name} ends again and again${ended ? `, the last time ${endingOf(ended)}` : ''}.`
  }
  if (ended?.reason === 'OOMKilled')
    return `Its container ${name} needed more memory than it may have, and was ended${running ? ' once' : ''}.`
  return terminated && `Its container ${name} has ended by itself, ${endingOf(terminated)}.`
}

function endingOf({ reason, exitCode }: z.output<typeof Terminated>): string {
  return reason === 'OOMKilled' ? 'because it needed more memory than it may have' : `with exit code ${exitCode}`
}

function schedulingProblem({ conditions }: PodStatus): string | undefined {
  const scheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  return scheduled && `No machine of the cluster takes it: ${sentence(scheduled.message || scheduled.reason)}`
}

function claimProblem(found: Found): string | undefined {
  const claim = found.find(({ kind }) => kind === 'PersistentVolumeClaim')
  if (!claim) return undefined
  const { phase, conditions } = Claim.parse(claim).status
  if (phase === 'Lost') return 'Its volume is gone, and its data with it.'
  if (phase === 'Pending') return 'It waits for its volume.'
  const resizing = conditions.find(({ type, status }) => /Resiz/.test(type) && status === 'True')
  return resizing && `Its volume is being made larger${resizing.message ? `: ${sentence(resizing.message)}` : '.'}`
}

/** Whoever declares the same fields by server-side apply would take back whatever we do. */
function foreignProblem(found: Found): string | undefined {
  for (const { kind, metadata } of found) {
    const other = metadata.managedFields?.find(
      ({ manager, operation, fieldsV1 }) => operation === 'Apply' && manager !== FIELD_MANAGER && fieldsV1 && 'f:spec' in fieldsV1,
    )
    if (other) return `${other.manager} sets what Trestle has to set in the ${kind} ${metadata.name}.`
  }
  return undefined
}

function isFull({ containerStatuses }: PodStatus): boolean {
  return containerStatuses.some(({ state, lastState }) =>
    [state.terminated, lastState.terminated].some((each) => each && DISK_FULL.test(each.message)),
  )
}

function podOf(found: Found): KubernetesObject | undefined {
  return found.find(({ kind }) => kind === 'Pod')
}

function setOf(found: Found): KubernetesObject | undefined {
  return found.find(({ kind }) => kind === 'StatefulSet')
}

function namespaceOf([first]: Found): string {
  return first?.metadata.namespace ?? 'default'
}

/** With an end, and of a length that people read. */
function sentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
  return /[.!?]$/.test(line) ? line : `${line}.`
}
