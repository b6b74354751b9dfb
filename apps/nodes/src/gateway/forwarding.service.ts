import { Injectable } from '@nestjs/common'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Logger } from '@trestle/runtime/logger'
import { chooseMember, healthyMembers } from './balance.js'
import { FilterPlaces } from './filter-places.engine.js'
import type { Workload, WorkloadMember } from './live-workloads.engine.js'
import type { MachineClient, MachineRequest } from './machine.client.js'
import { MachineFault, problemOfFault } from './machine-fault.js'
import type { MachineReply } from './machine-response.engine.js'
import type { AllowedCall } from './rpc-frame.js'
import { outcomeOf } from './send-outcome.js'

/** What is asked of a workload, and what it does. */
export interface WorkloadRequest extends MachineRequest {
  /** Empty for REST, which only reads. */
  readonly calls: readonly AllowedCall[]
}

/** Finds the machine that answers; of a cluster another where one does not. */
@Injectable()
export class ForwardingService {
  private readonly filters = new FilterPlaces()

  constructor(private readonly logger: Logger) {}

  /** A reply, or a Problem. */
  async ask(workload: Workload, asked: WorkloadRequest): Promise<MachineReply> {
    if (workload.members.length === 0) throw notReady(workload)
    try {
      if (workload.kind === 'node') return await one(workload, []).client.ask(asked)
      return await this.askCluster(workload, asked)
    } catch (error) {
      if (!(error instanceof MachineFault)) throw error
      if (error.kind === 'locked') this.logger.error({ workload: workload.id }, 'a node does not let the gateway in')
      throw problemOfFault(error)
    }
  }

  private askCluster(workload: Workload, asked: WorkloadRequest): Promise<MachineReply> {
    const { calls } = asked
    if (calls.length === 1 && calls[0]?.kind === 'send') return tellAll(workload, asked)
    if (calls.some(({ kind }) => kind === 'filter-new' || kind === 'filter')) return this.askOfFilters(workload, asked)
    return calls.every(({ kind }) => kind === 'read') ? askTwice(workload, asked) : one(workload, []).client.ask(asked)
  }

  /** A filter lives in the member that made it. */
  private async askOfFilters(workload: Workload, asked: WorkloadRequest): Promise<MachineReply> {
    const place = this.filters.placeOf(workload.id, asked.calls, performance.now())
    const member = workload.members.find(({ id }) => id === place) ?? one(workload, [])
    const makes = asked.calls.some(({ kind }) => kind === 'filter-new')
    const reply = await member.client.ask({ ...asked, isWhole: makes || asked.isWhole })
    if (makes) this.filters.remember({ workload: workload.id, member: member.id }, reply.body, performance.now())
    return reply
  }
}

/** A read that met a member which just went away, or has not begun to answer, is asked again of another. */
async function askTwice(workload: Workload, asked: WorkloadRequest): Promise<MachineReply> {
  const { client } = one(workload, [])
  const first = await client.ask(asked).catch((error: unknown) => passing(error))
  if (!(first instanceof MachineFault) && !isWarmingUp(first)) return first
  const other = chooseMember(workload.members, choosing(workload), [client])
  if (other) return other.client.ask(asked)
  if (first instanceof MachineFault) throw first
  return first
}

/** The first that takes it answers. One that knows it already took it from another: then that is the answer, before any refusal. */
async function tellAll(workload: Workload, asked: WorkloadRequest): Promise<MachineReply> {
  const told = healthyMembers(workload.members, choosing(workload)).map(({ client }) => client.ask({ ...asked, isWhole: true }))
  if (told.length === 0) throw notReady(workload)
  const taken = told.map(async (reply) => {
    const settled = await reply
    if (outcomeOf(settled.body) !== 'taken') throw settled
    return settled
  })
  try {
    return await Promise.any(taken)
  } catch (error) {
    const { errors } = error as AggregateError
    const replies = errors.filter((each): each is MachineReply => !(each instanceof Error))
    const best = replies.find(({ body }) => outcomeOf(body) === 'known') ?? replies[0]
    if (best) return best
    throw errors[0]
  }
}

function one(workload: Workload, tried: readonly MachineClient[]): WorkloadMember {
  const member = chooseMember(workload.members, choosing(workload), tried)
  if (member) return member
  throw notReady(workload)
}

function choosing({ chain }: Workload) {
  return { chain, now: performance.now() }
}

/** A fault that says nothing about the call. */
function passing(error: unknown): MachineFault {
  if (error instanceof MachineFault && error.kind !== 'aborted' && error.kind !== 'too-large') return error
  throw error
}

// bitcoind's RPC_IN_WARMUP: it reads its chain, and answers nothing yet.
function isWarmingUp({ status, body }: MachineReply): boolean {
  return status === 500 && body.includes('"code":-28')
}

function notReady({ kind, reasonNotCallable }: Workload): Problem {
  return new Problem('unavailable', 'NotReady', `The ${kind} cannot be called yet. ${reasonNotCallable ?? ''}`.trim(), {
    headers: retryAfter(5),
  })
}
