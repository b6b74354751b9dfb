import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'

/** An exemption from second factors is for development; elsewhere it is not to be forgotten. */
@Injectable()
export class FactorExemptionJob implements OnApplicationBootstrap {
  constructor(
    private readonly logger: Logger,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  onApplicationBootstrap(): void {
    const { NODE_ENV, ADMINISTRATORS, ADMINISTRATORS_NEED_FACTOR } = this.env
    if (NODE_ENV === 'production' && ADMINISTRATORS.length > 0 && !ADMINISTRATORS_NEED_FACTOR)
      this.logger.warn('ADMINISTRATORS_NEED_FACTOR is false: a password alone opens the administration of this platform')
  }
}
