import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Logger } from '@trestle/runtime/logger'
import { reasonOf } from './reason.js'

/** Lets one part of a pass fail without the others. */
@Injectable()
export class PassFailuresService {
  /** The last reason, by part. */
  private readonly reasons = new Map<string, string>()

  constructor(private readonly logger: Logger) {}

  /** Why it failed at last; undefined if it works. */
  reasonOf(part: string): string | undefined {
    return this.reasons.get(part)
  }

  /** The result, or undefined on failure, which is logged once while it lasts. Losing the lease ends the whole pass. */
  async attempt<T>(part: string, { signal }: Lease, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      if (this.reasons.delete(part)) this.logger.info({ part }, 'a part of the pass works again')
      return result
    } catch (error) {
      signal.throwIfAborted()
      const reason = reasonOf(error)
      if (this.reasons.get(part) !== reason) this.logger.warn({ err: error, part, reason }, 'a part of the pass failed')
      this.reasons.set(part, reason)
      return undefined
    }
  }
}
