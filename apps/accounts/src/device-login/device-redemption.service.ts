import { Injectable } from '@nestjs/common'
import { COMMAND_LINE_CLIENT } from '@trestle/contracts/accounts/device-logins'
import type { SignedIn } from '../sign-in/session-opening.service.js'
import { SignInCompletionService } from '../sign-in/sign-in-completion.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { UsersService } from '../users/users.service.js'
import { accessDenied, unknownClient } from './device-login.js'
import { DevicePollsService } from './device-polls.service.js'

/** Gives a device its session, once the user has approved it. */
@Injectable()
export class DeviceRedemptionService {
  constructor(
    private readonly polls: DevicePollsService,
    private readonly users: UsersService,
    private readonly completion: SignInCompletionService,
  ) {}

  async redeem(
    { client_id: clientId, device_code: deviceCode = '' }: Readonly<Record<string, string>>,
    origin: RequestOrigin,
  ): Promise<SignedIn> {
    if (clientId !== COMMAND_LINE_CLIENT) throw unknownClient()
    const { userId, epoch, proof } = await this.polls.take(deviceCode, origin.network)
    const user = userId ? await this.users.find(userId) : undefined
    // Whoever has ended all sessions since, or was disabled, has ended this one, too.
    if (!user || user.disabledAt || user.epoch !== epoch) throw accessDenied()
    return this.completion.complete(user, { ...origin, client: 'command-line' }, proof)
  }
}
