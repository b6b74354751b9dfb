import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { Project } from './project.js'

/** A project with what it has spent today (UTC). */
export interface ProjectInUse {
  readonly project: Project
  readonly spentToday: number
}

@Injectable()
export class LiveProjectsRepository {
  constructor(private readonly pool: Pool) {}

  /** The projects that have, or had before their last rotation, one of these ids. */
  async listByIds(ids: readonly string[]): Promise<ProjectInUse[]> {
    const { rows } = await this.pool.query<Row>({
      name: 'list_projects_by_ids',
      text: `SELECT project.*, coalesce(usage_day.compute_units, 0) AS spent_today
               FROM project LEFT JOIN usage_day ON usage_day.project = serial AND day = (now() AT TIME ZONE 'UTC')::date
              WHERE id = ANY($1) OR former_id = ANY($1)`,
      values: [ids],
    })
    return rows.map(toProjectInUse)
  }
}

interface Row {
  readonly serial: number
  readonly id: string
  readonly former_id: string | null
  readonly former_until: Date | null
  readonly owner_id: string
  readonly name: string
  readonly allowed_origins: string[]
  readonly allowed_methods: string[]
  readonly allowed_contracts: string[]
  readonly allowed_ips: string[]
  readonly require_token: boolean
  readonly per_second: number
  readonly per_day: string
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly spent_today: string
}

function toProjectInUse(row: Row): ProjectInUse {
  const { serial, id, name, version } = row
  const project = {
    serial,
    id,
    name,
    version,
    former: row.former_id && row.former_until ? { id: row.former_id, until: row.former_until } : undefined,
    ownerId: row.owner_id,
    allowedOrigins: row.allowed_origins,
    allowedMethods: row.allowed_methods,
    allowedContracts: row.allowed_contracts,
    allowedIps: row.allowed_ips,
    requireToken: row.require_token,
    limits: { perSecond: row.per_second, perDay: Number(row.per_day) },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  return { project, spentToday: Number(row.spent_today) }
}
