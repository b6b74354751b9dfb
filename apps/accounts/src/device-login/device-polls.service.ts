import { Injectable } from '@nestjs/common'
import { guessingThrottle } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { type DeviceLoginRecord, invalidDeviceCode, polled } from './device-login.js'
import { DeviceLoginsRepository } from './device-logins.repository.js'

@Injectable()
export class DevicePollsService {
  constructor(
    private readonly logins: DeviceLoginsRepository,
    private readonly unitOfWork: UnitOfWorkService,
    private readonly throttling: ThrottlingService,
  ) {}

  /** The approved login of a device, which is used up. A problem of RFC 8628 section 3.5 otherwise. */
  async take(deviceCode: string, network: string): Promise<DeviceLoginRecord> {
    const found = await this.throttling.attempt([guessingThrottle(network)], () => this.poll(deviceCode))
    if (!found) throw invalidDeviceCode()
    if (found.problem) throw found.problem
    return found.login
  }

  // The problem is returned, so that the poll is saved all the same.
  private poll(deviceCode: string) {
    return this.unitOfWork.run(async (tx, now) => {
      const login = await this.logins.lock(tx, deviceCode)
      if (!login) return undefined
      const { next, problem } = polled(login, now)
      await this.logins.save(tx, login, next)
      return { login, problem }
    })
  }
}
