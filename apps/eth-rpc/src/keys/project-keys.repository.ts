import { Injectable } from '@nestjs/common'
import { EthRpcDatabase, type EthRpcTransaction } from '../database.module.js'
import type { ProjectKeyUse } from './key-use-book.engine.js'
import { type StoredProjectKey, unknownKey } from './project-key.js'

interface KeyReference {
  readonly project: number
  readonly number: number
}

@Injectable()
export class ProjectKeysRepository {
  constructor(private readonly database: EthRpcDatabase) {}

  list(project: number): Promise<StoredProjectKey[]> {
    return this.database.projectKey.findMany({ where: { project }, orderBy: { number: 'desc' } })
  }

  /** The number of the next key, and how many there are. The project is locked. */
  async prepare(tx: EthRpcTransaction, project: number): Promise<{ number: number; count: number }> {
    const { lastKey } = await tx.project.update({
      where: { serial: project },
      data: { lastKey: { increment: 1 } },
      select: { lastKey: true },
    })
    return { number: lastKey, count: await tx.projectKey.count({ where: { project } }) }
  }

  async add(tx: EthRpcTransaction, key: StoredProjectKey): Promise<void> {
    await tx.projectKey.create({ data: key })
  }

  async get(tx: EthRpcTransaction, { project, number }: KeyReference): Promise<StoredProjectKey> {
    const key = await tx.projectKey.findUnique({ where: { project_number: { project, number } } })
    if (!key) throw unknownKey()
    return key
  }

  /** What may be changed of it; its last use is written beside. */
  async save(tx: EthRpcTransaction, { project, number, name, expiresAt, version }: StoredProjectKey): Promise<void> {
    await tx.projectKey.update({ where: { project_number: { project, number } }, data: { name, expiresAt, version } })
  }

  async remove(tx: EthRpcTransaction, { project, number }: KeyReference): Promise<void> {
    const { count } = await tx.projectKey.deleteMany({ where: { project, number } })
    if (count === 0) throw unknownKey()
  }

  /** The later of what is written and what other processes have written stays. */
  async saveUses(uses: readonly ProjectKeyUse[]): Promise<void> {
    await this.database.$executeRawUnsafe(
      SAVE_USES,
      uses.map(({ project }) => project),
      uses.map(({ number }) => number),
      uses.map(({ at }) => at),
      uses.map(({ from }) => from),
    )
  }
}

// Rows are locked in the order of their keys, so that processes that write the same ones wait for each other and do not deadlock.
const SAVE_USES = `
  WITH used AS (
    SELECT * FROM unnest($1::int[], $2::int[], $3::timestamptz[], $4::text[]) AS given (project, number, at, source)
  ), locked AS (
    SELECT used.* FROM used JOIN project_key USING (project, number) ORDER BY project, number FOR UPDATE OF project_key
  )
  UPDATE project_key AS key SET last_used_at = locked.at, last_used_from = locked.source
    FROM locked
   WHERE key.project = locked.project AND key.number = locked.number AND (key.last_used_at IS NULL OR key.last_used_at < locked.at)`
