import { Injectable } from '@nestjs/common'
import { proofOf } from '@trestle/auth/claims'
import type { DeviceLogin, deviceLogins } from '@trestle/contracts/accounts/device-logins'
import type { Caller } from '@trestle/contracts/caller'
import type { Input } from '@trestle/contracts/endpoint'
import { SessionsService } from '../sessions/sessions.service.js'
import { leakyBucket, perNetwork } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { type User, unknownUser } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import { browserNeeded, type DeviceLoginRecord, describeDeviceLogin, parseUserCode, unknownDeviceLogin } from './device-login.js'
import { DeviceLoginsRepository } from './device-logins.repository.js'

const STATES = { approve: 'approved', refuse: 'refused' } as const

/** Lets a signed-in user decide about a device that shows a code. */
@Injectable()
export class DeviceDecisionsService {
  constructor(
    private readonly logins: DeviceLoginsRepository,
    private readonly throttling: ThrottlingService,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
  ) {}

  async get({ userId }: Caller, text: string, network: string): Promise<DeviceLogin> {
    return describeDeviceLogin(await this.find(userId, text, network))
  }

  async decide(
    caller: Caller,
    { params, body }: Pick<Input<typeof deviceLogins.decide>, 'params' | 'body'>,
    network: string,
  ): Promise<void> {
    const user = await this.requireBrowser(caller)
    const { userCode } = await this.find(caller.userId, params.userCode, network)
    const decision = { state: STATES[body.decision], userId: user.id, epoch: user.epoch, proof: proofOf(caller) }
    // Somebody else may have decided since.
    if (!(await this.logins.decide(userCode, decision))) throw unknownDeviceLogin()
  }

  /**
   * The user whose browser asks. Their epoch is read before it is known that the session is open: of who ended all sessions meanwhile, which this
   * replica may not have heard, it is the old one, and the device gets nothing.
   */
  private async requireBrowser(caller: Caller): Promise<User> {
    const user = await this.users.find(caller.userId)
    const { client } = await this.sessions.requireCurrent(caller)
    if (!user) throw unknownUser()
    if (client === 'command-line') throw browserNeeded()
    return user
  }

  /** So many wrong codes an hour of a user, and a minute of a network: whoever has codes of their own cannot reset the count with them. */
  private async find(userId: string, text: string, network: string): Promise<DeviceLoginRecord> {
    const userCode = parseUserCode(text)
    const throttles = [
      { key: `device code by ${userId}`, rule: leakyBucket(20, 3600_000) },
      { key: `device code from ${network}`, rule: perNetwork },
    ]
    const found = await this.throttling.attempt(throttles, async (now) => userCode && (await this.logins.findPending(userCode, now)))
    if (!found) throw unknownDeviceLogin()
    return found
  }
}
