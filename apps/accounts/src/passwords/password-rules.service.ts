import { Inject, Injectable } from '@nestjs/common'
import type { AccountsEnv } from '../env.js'
import { ProviderDirectoryService } from '../identity-providers/provider-directory.service.js'
import { ENV } from '../settings.module.js'
import { requireNoDemoPassword } from './demo-passwords.js'
import { type PasswordOwner, requireStrong, stolenPassword } from './password-policy.js'
import { PasswordRangeClient } from './password-range.client.js'

/** Which new passwords are accepted. */
@Injectable()
export class PasswordRulesService {
  constructor(
    private readonly ranges: PasswordRangeClient,
    private readonly directory: ProviderDirectoryService,
    @Inject(ENV) private readonly env: Pick<AccountsEnv, 'NODE_ENV'>,
  ) {}

  /** Problem `WeakPassword` for a new password that could be guessed. Whether it was stolen costs a request, and is asked at the end. */
  requireStrong(password: string, owner: PasswordOwner): void {
    requireStrong(password, owner)
    requireNoDemoPassword(password, owner, { isProduction: this.env.NODE_ENV === 'production' })
  }

  /** Problem `WeakPassword` when it could be guessed or was stolen, `SignInWithProvider` for whom it would be useless. */
  async requireAcceptable(password: string, owner: PasswordOwner): Promise<void> {
    this.directory.requireAllowed(owner.email)
    this.requireStrong(password, owner)
    if (await this.ranges.isStolen(password)) throw stolenPassword()
  }
}
