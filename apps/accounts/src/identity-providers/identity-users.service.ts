import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { ProvisioningService } from '../users/provisioning.service.js'
import { type IdentifiedUser, type LinkedIdentity, newUserOf } from '../users/user.js'
import type { ExternalIdentity } from './external-identity.js'
import { GrantedRolesService } from './granted-roles.service.js'
import { MailEnrolmentService } from './mail-enrolment.service.js'
import type { ProviderSettings } from './provider-settings.js'
import { disabledUser, emailNotVerified, mailSent } from './sign-in-attempt.js'

/** Finds the user that an identity belongs to, or makes one. */
@Injectable()
export class IdentityUsersService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly provisioning: ProvisioningService,
    private readonly mailEnrolment: MailEnrolmentService,
    private readonly grants: GrantedRolesService,
  ) {}

  /**
   * By the subject; for a new subject by its address, but only where the provider decides about the address's domain: any other one
   * could name an address of somebody else's, and would get their account.
   */
  async find(provider: ProviderSettings, identity: ExternalIdentity, network: string): Promise<IdentifiedUser> {
    const linked = linkedIdentity(provider, identity)
    const identified = await this.unitOfWork.run(async (tx, now) => {
      const found = (await this.provisioning.find(tx, linked, now)) ?? (await this.provide(tx, { identity, linked }, now))
      if (found?.user.disabledAt) throw disabledUser()
      if (found) await this.grants.sync(tx, { userId: found.user.id, provider, identity }, now)
      return found
    })
    if (identified) return identified
    if (!identity.email) throw emailNotVerified()
    await this.mailEnrolment.enrol({ ...linked, name: identity.name }, identity.email, network)
    throw mailSent()
  }

  /** Whose identity it is; nobody is made, and none is linked. */
  recognize(provider: ProviderSettings, identity: ExternalIdentity): Promise<IdentifiedUser | undefined> {
    return this.unitOfWork.run((tx, now) => this.provisioning.find(tx, linkedIdentity(provider, identity), now))
  }

  private async provide(
    tx: Parameters<ProvisioningService['provide']>[0],
    { identity: { email, name, isAuthoritative }, linked }: { identity: ExternalIdentity; linked: LinkedIdentity },
    now: Date,
  ): Promise<IdentifiedUser | undefined> {
    if (!email || !isAuthoritative) return undefined
    return this.provisioning.provide(tx, newUserOf(`user-${randomUUID()}`, { email, displayName: name }, now), linked, now)
  }
}

function linkedIdentity(provider: ProviderSettings, { issuer, subject, name, email }: ExternalIdentity): LinkedIdentity {
  return { issuer, subject, provider: provider.id, name, email: email?.address }
}
