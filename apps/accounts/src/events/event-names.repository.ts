import { Injectable } from '@nestjs/common'
import { AccountsDatabase } from '../database.module.js'
import type { EventNames } from './organization-event.js'

/** Knows who is named in the events of an organization, also after they have left. */
@Injectable()
export class EventNamesRepository {
  constructor(private readonly database: AccountsDatabase) {}

  async read(organizationId: string, { userIds, clientIds }: { userIds: string[]; clientIds: string[] }): Promise<EventNames> {
    const [users, members, keys] = await Promise.all([
      this.database.user.findMany({
        where: { id: { in: userIds } },
        select: { id: true, displayName: true, email: true, serviceAccountOf: true },
      }),
      this.database.member.findMany({
        where: { organizationId, userId: { in: userIds }, NOT: { roles: { isEmpty: true } } },
        select: { userId: true },
      }),
      this.database.clientKey.findMany({ where: { id: { in: clientIds }, organizationId }, select: { id: true, name: true } }),
    ])
    const current = new Set(members.map(({ userId }) => userId))
    const authors = users.map(({ serviceAccountOf, ...user }) => {
      return { ...user, serviceAccount: serviceAccountOf !== null, isMember: current.has(user.id) }
    })
    return {
      authors: new Map(authors.map((author) => [author.id, author])),
      clientKeys: new Map(keys.map(({ id, name }) => [id, name ?? ''])),
    }
  }
}
