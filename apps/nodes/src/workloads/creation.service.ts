import { createHash } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import type { GrantedPlan } from '../plans/granted-plan.js'
import { PlansService } from '../plans/plans.service.js'
import { Newcomers, type Order } from './newcomers.service.js'
import type { Workload, WorkloadKind } from './workload.js'
import { AliasTaken, NoPortLeft, type Request, WorkloadsRepository } from './workloads.repository.js'

/** Writes down what somebody wants to hold; the reconciler makes it. */
@Injectable()
export class Creation {
  constructor(
    private readonly workloads: WorkloadsRepository,
    private readonly newcomers: Newcomers,
    private readonly plans: PlansService,
    private readonly clock: Clock,
  ) {}

  async create(order: Order): Promise<Workload> {
    const request = requestOf(order)
    const earlier = await this.findMade(order, request)
    if (earlier) return earlier
    const plan = await this.plans.of(order.userId)
    const newcomer = { ...(await this.newcomers.make(order, plan, this.clock.now())), request }
    const made = await this.workloads.add(newcomer, (held) => checkCount(order.kind, held, plan)).catch(rethrow)
    // The same request came twice at the same time.
    const workload = made ?? (await this.findMade(order, request))
    if (!workload) throw new Error('A request was carried out, and is not there.')
    return workload
  }

  /** What the same request has made. */
  private async findMade(order: Order, request?: Request): Promise<Workload | undefined> {
    const earlier = request && (await this.workloads.findRequest(order, request.key))
    if (!earlier) return undefined
    if (earlier.requestHash?.equals(request.hash)) return earlier
    throw new Problem('conflict', 'IdempotencyKeyReused', 'This Idempotency-Key came with another request before: use a new one.')
  }
}

function requestOf({ given, requestKey }: Order): Request | undefined {
  return requestKey === undefined ? undefined : { key: requestKey, hash: createHash('sha256').update(JSON.stringify(given)).digest() }
}

function checkCount(kind: WorkloadKind, held: number, plan: GrantedPlan): void {
  const most = kind === 'node' ? plan.nodes : plan.clusters
  if (held >= most) throw new Problem('forbidden', 'LimitExceeded', `You have ${held} ${kind}s, of at most ${most}: remove one first.`)
}

function rethrow(error: Error): never {
  if (error instanceof NoPortLeft) throw new Problem('unavailable', 'NoPortLeft', error.message)
  throw error instanceof AliasTaken ? aliasTaken() : error
}

export function aliasTaken(): Problem {
  return new Problem('conflict', 'AliasTaken', 'You have another cluster of this alias.')
}
