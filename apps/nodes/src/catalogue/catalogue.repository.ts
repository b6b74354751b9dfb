import { Injectable } from '@nestjs/common'
import { NodesDatabase } from '../database.module.js'

/** The services that administrators have disabled. */
@Injectable()
export class CatalogueRepository {
  constructor(private readonly database: NodesDatabase) {}

  async listDisabled(): Promise<ReadonlySet<string>> {
    return new Set((await this.database.disabledService.findMany({ select: { id: true } })).map(({ id }) => id))
  }

  async disable(id: string): Promise<void> {
    await this.database.disabledService.createMany({ data: { id }, skipDuplicates: true })
  }

  async enable(id: string): Promise<void> {
    await this.database.disabledService.deleteMany({ where: { id } })
  }
}
