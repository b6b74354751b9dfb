import { Injectable } from '@nestjs/common'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Logger } from '@trestle/runtime/logger'
import { choose, healthy } from './balance.js'
import type { Reply } from './exchange.js'
import { FilterPlaces } from './filter-places.js'
import type { Member, Workload } from './live-workloads.engine.js'
import type { MachineClient, Question } from './machine.client.js'
import { MachineFault, problemOf } from './machine-fault.js'
import type { Call } from './rpc-frame.js'
import { outcomeOf } from './send-outcome.js'

/** What is asked of a holding, and what it does. */
export interface Asked extends Question {
  /** Empty for REST, which only reads. */
  readonly calls: readonly Call[]
}

/** Finds the machine that answers; of a cluster another where one does not. */
@Injectable()
export class Forwarding {
  private readonly filters = new FilterPlaces()

  constructor(private readonly logger: Logger) {}

  /** A reply, or a Problem. */
  async ask(holding: Workload, asked: Asked): Promise<Reply> {
    if (holding.members.length === 0) throw notReady(holding)
    try {
      if (holding.kind === 'node') return await one(holding, []).client.ask(asked)
      return await this.askCluster(holding, asked)
    } catch (error) {
      if (!(error instanceof MachineFault)) throw error
      if (error.kind === 'locked') this.logger.error({ holding: holding.id }, 'a node does not let the gateway in')
      throw problemOf(error)
    }
  }

  private askCluster(holding: Workload, asked: Asked): Promise<Reply> {
    const { calls } = asked
    if (calls.length === 1 && calls[0]?.kind === 'send') return tellAll(holding, asked)
    if (calls.some(({ kind }) => kind === 'filter-new' || kind === 'filter')) return this.askOfFilters(holding, asked)
    return calls.every(({ kind }) => kind === 'read') ? askTwice(holding, asked) : one(holding, []).client.ask(asked)
  }

  /** A filter lives in the member that made it. */
  private async askOfFilters(holding: Workload, asked: Asked): Promise<Reply> {
    const place = this.filters.placeOf(holding.id, asked.calls, performance.now())
    const member = holding.members.find(({ id }) => id === place) ?? one(holding, [])
    const makes = asked.calls.some(({ kind }) => kind === 'filter-new')
    const reply = await member.client.ask({ ...asked, isWhole: makes || asked.isWhole })
    if (makes) this.filters.remember({ holding: holding.id, member: member.id }, reply.body, performance.now())
    return reply
  }
}

/** A read that met a member which just went away, or has not begun to answer, is asked again of another. */
async function askTwice(holding: Workload, asked: Asked): Promise<Reply> {
  const { client } = one(holding, [])
  const first = await client.ask(asked).catch((error: unknown) => passing(error))
  if (!(first instanceof MachineFault) && !isWarmingUp(first)) return first
  const other = choose(holding.members, choosing(holding), [client])
  if (other) return other.client.ask(asked)
  if (first instanceof MachineFault) throw first
  return first
}

/** The first that takes it answers. One that knows it already took it from another: then that is the answer, before any refusal. */
async function tellAll(holding: Workload, asked: Asked): Promise<Reply> {
  const told = healthy(holding.members, choosing(holding)).map(({ client }) => client.ask({ ...asked, isWhole: true }))
  if (told.length === 0) throw notReady(holding)
  const taken = told.map(async (reply) => {
    const settled = await reply
    if (outcomeOf(settled.body) !== 'taken') throw settled
    return settled
  })
  try {
    return await Promise.any(taken)
  } catch (error) {
    const { errors } = error as AggregateError
    const replies = errors.filter((each): each is Reply => !(each instanceof Error))
    const best = replies.find(({ body }) => outcomeOf(body) === 'known') ?? replies[0]
    if (best) return best
    throw errors[0]
  }
}

function one(holding: Workload, tried: readonly MachineClient[]): Member {
  const member = choose(holding.members, choosing(holding), tried)
  if (member) return member
  throw notReady(holding)
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
function isWarmingUp({ status, body }: Reply): boolean {
  return status === 500 && body.includes('"code":-28')
}

function notReady({ kind, reasonNotCallable }: Workload): Problem {
  return new Problem('unavailable', 'NotReady', `The ${kind} cannot be called yet. ${reasonNotCallable ?? ''}`.trim(), {
    headers: retryAfter(5),
  })
}
