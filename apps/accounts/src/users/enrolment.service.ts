import { Injectable } from '@nestjs/common'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import type { LinkedIdentity, SignUp, User } from './user.js'
import { UserMailsService } from './user-mails.service.js'
import { UsersRepository } from './users.repository.js'

/** Creates a new user, or mails the owner of the address why not; whoever signs up sees no difference. */
@Injectable()
export class EnrolmentService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly users: UsersRepository,
    private readonly mails: UserMailsService,
    private readonly throttling: ThrottlingService,
  ) {}

  async enrol(user: User, identity?: LinkedIdentity): Promise<void> {
    const isNew = await this.unitOfWork.run(async (tx, now) => {
      const added = await this.users.insert(tx, user)
      if (added) await this.mails.sendVerification(tx, { user, identity }, now)
      return added
    })
    if (!isNew) await this.handleExisting({ user, identity })
  }

  private async handleExisting({ user, identity }: SignUp): Promise<void> {
    const existing = await this.users.find({ emailCanonical: user.emailCanonical })
    if (!existing || existing.disabledAt) return
    if (existing.verifiedAt) await this.notifyOwner(existing)
    else await this.addSignUp({ user: { ...user, id: existing.id }, identity })
  }

  private async notifyOwner(existing: User): Promise<void> {
    const to = existing.emailCanonical
    if (await this.throttling.trySpend({ accountExistsMailsToAddress: to, mailsToAddress: to }))
      await this.unitOfWork.run((tx) => this.mails.sendAccountExists(tx, existing))
  }

  /**
   * Each sign-up has a mail of its own, whose token verifies what was typed at this one only: nobody can have the owner of an address verify
   * a password of somebody else's, nor invalidate the owner's mail.
   */
  private async addSignUp(signUp: SignUp): Promise<void> {
    const { user } = signUp
    const to = user.emailCanonical
    if (!(await this.throttling.trySpend({ verificationMailsToAddress: to, mailsToAddress: to }))) return
    await this.unitOfWork.run(async (tx, now) => {
      if (await this.users.isUnverified(tx, user.id, now)) await this.mails.sendVerification(tx, signUp, now, now)
    })
  }
}
