import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Logger } from '@trestle/runtime/logger'
import { reasonOf } from './reason.js'

/** Lets a part of a pass fail without the others. */
@Injectable()
export class PassFailuresService {
  /** By what failed. */
  private readonly reasons = new Map<string, string>()

  constructor(private readonly logger: Logger) {}

  /** The result, or undefined where it failed, which is told once for as long as it lasts. The loss of the lease ends the whole pass. */
  async attempt<T>(what: string, { signal }: Lease, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      if (this.reasons.delete(what)) this.logger.info({ what }, 'this part of the pass succeeds again')
      return result
    } catch (error) {
      signal.throwIfAborted()
      const reason = reasonOf(error)
      if (this.reasons.get(what) !== reason) this.logger.warn({ err: error, what, reason }, 'a part of the pass failed')
      this.reasons.set(what, reason)
      return undefined
    }
  }
}
