import { Injectable } from '@nestjs/common'
import { atMost } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { Transactions } from '../transactions.js'
import type { User } from './user.js'
import { UserMails } from './user-mails.service.js'
import { UsersRepository } from './users.repository.js'

const HOUR = 3600_000

/** Takes in a new user, or tells the owner of the address by mail why not; whoever signs up sees no difference. */
@Injectable()
export class Enrolment {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersRepository,
    private readonly mails: UserMails,
    private readonly throttling: ThrottlingService,
  ) {}

  async enrol(user: User): Promise<void> {
    const isNew = await this.transactions.run(async (tx, now) => {
      const added = await this.users.add(tx, user)
      if (added) await this.mails.sendVerification(tx, user, now)
      return added
    })
    if (!isNew) await this.enrolAgain(user)
  }

  private async enrolAgain(user: User): Promise<void> {
    const existing = await this.users.find({ emailCanonical: user.emailCanonical })
    if (!existing || existing.disabledAt) return
    if (existing.verifiedAt) await this.tellOwner(existing)
    else await this.startOver({ ...user, id: existing.id })
  }

  private async tellOwner(existing: User): Promise<void> {
    const wait = await this.throttling.count([{ key: `account exists ${existing.id}`, rule: atMost(1, HOUR) }])
    if (wait === 0) await this.transactions.run((tx) => this.mails.sendAccountExists(tx, existing))
  }

  /**
   * The last to sign up counts, and an earlier verification mail is void: nobody can lay claim to an address, with a password
   * of their own, in wait for its owner to verify it.
   */
  private async startOver(user: User): Promise<void> {
    const wait = await this.throttling.count([{ key: `verification ${user.id}`, rule: atMost(5, HOUR) }])
    if (wait > 0) return
    await this.transactions.run(async (tx, now) => {
      if (await this.users.replaceUnverified(tx, user)) await this.mails.sendVerification(tx, user, now)
    })
  }
}
