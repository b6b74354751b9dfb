import { Injectable } from '@nestjs/common'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { chooseMember, healthyMembers } from './balance.js'
import { FilterPlaces } from './filter-places.engine.js'
import type { ServedWorkload, WorkloadMember } from './live-workloads.engine.js'
import type { MachineReply, MachineRequest } from './machine.client.js'
import { MachineFault } from './machine-fault.js'
import type { AllowedCall } from './rpc-frame.js'
import { outcomeOf } from './send-outcome.js'

/** A request to a workload, and the calls in it. */
export interface WorkloadRequest extends MachineRequest {
  /** Empty for REST, which only reads. */
  readonly calls: readonly AllowedCall[]
}

/** Sends a request to a member of a cluster, and to another where that fails. */
@Injectable()
export class ClusterCallsService {
  private readonly filters = new FilterPlaces()

  /** Rejects with a MachineFault, or a Problem where no member can be called. */
  async ask(workload: ServedWorkload, request: WorkloadRequest): Promise<MachineReply> {
    const { calls } = request
    if (calls.length === 1 && calls[0]?.kind === 'send') return sendToAll(workload, request)
    if (calls.some(({ kind }) => kind === 'filter-new' || kind === 'filter')) return this.askFilterOwner(workload, request)
    return calls.every(({ kind }) => kind === 'read') ? askTwice(workload, request) : memberToCall(workload).client.ask(request)
  }

  /** A filter lives in the member that made it. */
  private async askFilterOwner(workload: ServedWorkload, request: WorkloadRequest): Promise<MachineReply> {
    const place = this.filters.placeOf(workload.id, request.calls, performance.now())
    const member = workload.members.find(({ id }) => id === place) ?? memberToCall(workload)
    const makes = request.calls.some(({ kind }) => kind === 'filter-new')
    const reply = await member.client.ask({ ...request, isWhole: makes || request.isWhole })
    if (makes) this.filters.remember({ workload: workload.id, member: member.id }, reply.body, performance.now())
    return reply
  }
}

/** A read is sent to another member where the first has gone away or is still starting. */
async function askTwice(workload: ServedWorkload, request: WorkloadRequest): Promise<MachineReply> {
  const { client } = memberToCall(workload)
  const first = await client.ask(request).catch((error: unknown) => faultOfMachine(error))
  if (!(first instanceof MachineFault) && !isWarmingUp(first)) return first
  const other = chooseMember(workload.members, choosing(workload), [client])
  if (other) return other.client.ask(request)
  if (first instanceof MachineFault) throw first
  return first
}

/** The first that accepts it answers. One that knows it already has it from another: that answer comes before any refusal. */
async function sendToAll(workload: ServedWorkload, request: WorkloadRequest): Promise<MachineReply> {
  const sent = healthyMembers(workload.members, choosing(workload)).map(({ client }) => client.ask({ ...request, isWhole: true }))
  if (sent.length === 0) throw notReady(workload)
  const accepted = sent.map(async (reply) => {
    const settled = await reply
    if (outcomeOf(settled.body) !== 'accepted') throw settled
    return settled
  })
  try {
    return await Promise.any(accepted)
  } catch (error) {
    const { errors } = error as AggregateError
    const replies = errors.filter((each): each is MachineReply => !(each instanceof Error))
    const best = replies.find(({ body }) => outcomeOf(body) === 'known') ?? replies[0]
    if (best) return best
    throw errors[0]
  }
}

/** The member to call; throws a Problem where there is none. */
export function memberToCall(workload: ServedWorkload): WorkloadMember {
  const member = chooseMember(workload.members, choosing(workload), [])
  if (member) return member
  throw notReady(workload)
}

function choosing({ chain }: ServedWorkload) {
  return { chain, now: performance.now() }
}

/** Rethrows what is about the call itself. */
function faultOfMachine(error: unknown): MachineFault {
  if (error instanceof MachineFault && !error.isOfCaller) return error
  throw error
}

// bitcoind's RPC_IN_WARMUP: it loads its chain, and answers nothing yet.
function isWarmingUp({ status, body }: MachineReply): boolean {
  return status === 500 && body.includes('"code":-28')
}

function notReady({ kind, reasonNotCallable }: ServedWorkload): Problem {
  return new Problem('unavailable', 'NotReady', `The ${kind} cannot be called yet. ${reasonNotCallable ?? ''}`.trim(), {
    headers: retryAfter(5),
  })
}
