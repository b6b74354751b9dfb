import { randomBytes, randomInt } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { COMMAND_LINE_CLIENT, type deviceLogins } from '@trestle/contracts/accounts/device-logins'
import type { Reply } from '@trestle/contracts/endpoint'
import { Clock } from '@trestle/runtime/clock'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { LIFETIME_SECONDS, newDeviceLogin, readableUserCode, USER_CODE_ALPHABET, USER_CODE_LENGTH, unknownClient } from './device-login.js'
import { DeviceLoginsRepository } from './device-logins.repository.js'

/** Begins the sign-in of a device without a browser. */
@Injectable()
export class DeviceLoginsService {
  constructor(
    private readonly logins: DeviceLoginsRepository,
    private readonly throttling: ThrottlingService,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  begin(clientId: string | undefined, origin: RequestOrigin): Promise<Reply<typeof deviceLogins.begin>> {
    if (clientId !== COMMAND_LINE_CLIENT) throw unknownClient()
    return this.throttling.inTurn(origin.network, async () => {
      await this.throttling.spend({ deviceLoginsFromNetwork: origin.network })
      const deviceCode = randomBytes(32).toString('base64url')
      const { userCode, intervalSeconds } = await this.insert(deviceCode, origin)
      const shown = readableUserCode(userCode)
      const page = `${this.env.PUBLIC_URL}/app/device`
      return {
        device_code: deviceCode,
        user_code: shown,
        verification_uri: page,
        verification_uri_complete: `${page}?code=${shown}`,
        expires_in: LIFETIME_SECONDS,
        interval: intervalSeconds,
      }
    })
  }

  private async insert(deviceCode: string, { ip, userAgent }: RequestOrigin) {
    for (;;) {
      const record = newDeviceLogin(randomUserCode(), { ip, userAgent }, this.clock.now())
      if (await this.logins.insert(deviceCode, record)) return record
    }
  }
}

function randomUserCode(): string {
  return Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_ALPHABET.charAt(randomInt(USER_CODE_ALPHABET.length))).join('')
}
