import { Injectable } from '@nestjs/common'
import type { ExactNumber } from '@trestle/contracts/endpoint'
import { NodeClient } from '../node/node.client.js'
import { estimateFee, estimateSmartFee } from '../node/node-calls.js'
import { NodeRefusal, RPC } from '../node/node-errors.js'
import { refusalProblem } from '../node/node-problem.js'
import { ShortCache } from '../node/short-cache.engine.js'
import { withoutExponent } from '../plain-number.js'
import { feeTargetsOf } from './fee-targets.js'

/** Estimates move with blocks. */
const KEPT_MS = 5_000
const UNKNOWN = -1

@Injectable()
export class FeesService {
  private readonly recent = new ShortCache<string, number>(KEPT_MS)

  constructor(private readonly node: NodeClient) {}

  async estimate(nbBlocks?: string): Promise<Record<string, ExactNumber>> {
    const targets = feeTargetsOf(nbBlocks)
    const fees = await Promise.all(targets.map((target) => this.recent.get(target, () => this.ask(Number(target)))))
    return Object.fromEntries(targets.map((target, i) => [target, withoutExponent(fees[i] ?? UNKNOWN)]))
  }

  private async ask(target: number): Promise<number> {
    const [estimate] = await this.node.callAll([estimateSmartFee(target)])
    if (!(estimate instanceof NodeRefusal)) return estimate.feerate ?? UNKNOWN
    if (estimate.code === RPC.methodNotFound) return this.node.call(estimateFee)
    throw refusalProblem(estimate, 'InvalidFeeTarget')
  }
}
