import { Injectable } from '@nestjs/common'
import type { ManagedUser } from '@trestle/contracts/accounts/administration'
import { userDisabled } from '@trestle/contracts/accounts/messages'
import { Outbox } from '@trestle/messaging/outbox'
import { decodeCursor, encodeCursor } from '../paging/cursor.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { Transactions } from '../transactions.js'
import { parseEmail } from './email.js'
import { describeForManager, parseUserRef, type User, unknownUser } from './user.js'
import { UsersRepository } from './users.repository.js'

/** What administrators and other features ask about users. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
  ) {}

  /** By id, or by e-mail address in any of its spellings. */
  async find(idOrEmail: string): Promise<User | undefined> {
    const ref = parseUserRef(idOrEmail)
    return ref && this.users.find(ref)
  }

  /** Keeps the same password under a newer hash. */
  rehash(user: User, passwordHash: string): Promise<void> {
    return this.users.rehash(user, passwordHash)
  }

  async get(id: string): Promise<ManagedUser> {
    return describeForManager(await this.require(id))
  }

  /** A page of users, the newest first, and the cursor of the next one. */
  async list({
    limit,
    cursor,
    email,
  }: {
    limit: number
    cursor?: string
    email?: string
  }): Promise<{ users: ManagedUser[]; next?: string }> {
    const emailCanonical = email === undefined ? undefined : parseEmail(email)?.canonical
    if (email !== undefined && emailCanonical === undefined) return { users: [] }
    const after = cursor === undefined ? undefined : decodeCursor(cursor, 'user')
    const found = await this.users.list({ limit: limit + 1, after, emailCanonical })
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    return { users: page.map(describeForManager), next: last && encodeCursor(last) }
  }

  /** Ends every token and client key of a user until somebody enables the user again. */
  async disable(id: string): Promise<ManagedUser> {
    await this.transactions.run(async (tx, now) => {
      if (!(await this.users.setDisabled(tx, id, now))) throw unknownUser()
      await this.sessions.endEvery(tx, id, now)
      await this.outbox.add(tx, userDisabled, { userId: id, disabledAt: now.toISOString() })
    })
    return this.get(id)
  }

  async enable(id: string): Promise<ManagedUser> {
    await this.transactions.run(async (tx) => {
      if (!(await this.users.setDisabled(tx, id, null))) throw unknownUser()
    })
    return this.get(id)
  }

  private async require(id: string): Promise<User> {
    const user = await this.users.find({ id })
    if (!user) throw unknownUser()
    return user
  }
}
