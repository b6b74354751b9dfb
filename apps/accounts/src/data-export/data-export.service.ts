import { Injectable } from '@nestjs/common'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { type User, unknownUser } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import { DataExportRepository } from './data-export.repository.js'
import { exportedLine, lastLine } from './export-line.js'
import { EXPORT_SOURCES } from './export-source.js'

/** What this area stores about a user (GDPR, articles 15 and 20). */
@Injectable()
export class DataExportService {
  constructor(
    private readonly users: UsersService,
    private readonly exports: DataExportRepository,
    private readonly throttling: ThrottlingService,
  ) {}

  /** Lines, a page at a time. Problem `TooManyRequests` before the first. */
  async open(userId: string): Promise<AsyncIterable<string>> {
    const user = await this.users.find(userId)
    if (!user) throw unknownUser()
    await this.throttling.spend({ dataExportsByUser: userId })
    return this.lines(user)
  }

  private async *lines(user: User): AsyncGenerator<string> {
    let count = 0
    for (const source of EXPORT_SOURCES)
      for await (const rows of this.exports.pages(source, user)) {
        count += rows.length
        if (rows.length > 0) yield rows.map((row) => exportedLine(source.kind, row)).join('')
      }
    yield lastLine(count)
  }
}
