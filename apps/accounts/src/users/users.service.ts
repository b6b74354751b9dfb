import { Injectable } from '@nestjs/common'
import type { ManagedUser } from '@trestle/contracts/accounts/administration'
import { userDisabled, userEnabled } from '@trestle/contracts/accounts/messages'
import { Outbox } from '@trestle/messaging/outbox'
import { decodeCursor, encodeCursor } from '../paging/cursor.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { parseEmail } from './email.js'
import { describeManagedUser, parseUserRef, type User, unknownUser } from './user.js'
import { UsersRepository } from './users.repository.js'

/** Users as administrators and other features see them. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly unitOfWork: UnitOfWorkService,
    private readonly outbox: Outbox,
  ) {}

  /** By id, or by e-mail address in any of its spellings. */
  async find(idOrEmail: string): Promise<User | undefined> {
    const ref = parseUserRef(idOrEmail)
    return ref && this.users.find(ref)
  }

  /** Stores the same password under a newer hash. */
  updatePasswordHash(user: User, passwordHash: string): Promise<void> {
    return this.users.updatePasswordHash(user, passwordHash)
  }

  async get(id: string): Promise<ManagedUser> {
    return describeManagedUser(await this.require(id))
  }

  /** A page of users, newest first, and the cursor of the next page. */
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
    const rows = await this.users.list({ limit: limit + 1, after, emailCanonical })
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return { users: page.map(describeManagedUser), next: last && encodeCursor(last) }
  }

  /** Invalidates every token and client key of a user until the user is enabled again. */
  async disable(id: string): Promise<ManagedUser> {
    await this.unitOfWork.run(async (tx, now) => {
      if (!(await this.users.updateDisabled(tx, id, now))) throw unknownUser()
      await this.sessions.endAllOf(tx, id, now)
      await this.outbox.add(tx, userDisabled, { userId: id, disabledAt: now.toISOString() })
    })
    return this.get(id)
  }

  async enable(id: string): Promise<ManagedUser> {
    await this.unitOfWork.run(async (tx, now) => {
      if (!(await this.users.updateDisabled(tx, id, null))) throw unknownUser()
      await this.outbox.add(tx, userEnabled, { userId: id, enabledAt: now.toISOString() })
    })
    return this.get(id)
  }

  private async require(id: string): Promise<User> {
    const user = await this.users.find({ id })
    if (!user) throw unknownUser()
    return user
  }
}
