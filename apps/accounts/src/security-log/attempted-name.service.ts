import { createHmac } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { AttemptedName } from '@trestle/runtime/security-trail'
import type { FastifyRequest } from 'fastify'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { attemptedName, canonicalName } from './attempted-name.js'

/** Keyed, so that neither the log nor a dump of it tells an address, even to somebody who tries all of them. */
@Injectable()
export class AttemptedNameService extends AttemptedName {
  constructor(@Inject(ENV) private readonly env: AccountsEnv) {
    super()
  }

  of({ raw, body, params }: FastifyRequest): string | undefined {
    const name = attemptedName({ authorization: raw.headersDistinct.authorization ?? [], body, params })
    return name && this.hash(name)
  }

  /** What the log has for an e-mail address. */
  hash(name: string): string {
    return createHmac('sha256', this.env.THROTTLE_SECRET)
      .update(`security log ${canonicalName(name)}`)
      .digest('base64url')
  }
}
