import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { GrantedPlan, PlanUse } from './granted-plan.js'

type Figures = Pick<GrantedPlan, 'nodes' | 'clusters' | 'startsAt' | 'expiresAt'>

interface Stored {
  user_id: string
  id: string
  nodes: number
  clusters: number
  starts_at: Date
  expires_at: Date
}

const BEGIN = `
  INSERT INTO user_plan (user_id, id, nodes, clusters, starts_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id RETURNING *`

const SET = `
  INSERT INTO user_plan (user_id, id, nodes, clusters, starts_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (user_id) DO UPDATE SET nodes = excluded.nodes, clusters = excluded.clusters, expires_at = excluded.expires_at RETURNING *`

const USED = `
  SELECT count(*) FILTER (WHERE kind = 'node')::int AS nodes, count(*) FILTER (WHERE kind = 'cluster')::int AS clusters
  FROM workload WHERE user_id = $1 AND removed_at IS NULL`

@Injectable()
export class PlansRepository {
  constructor(private readonly pool: Pool) {}

  /** The user's own; where there is none yet, one with these figures from now on. */
  findOrBegin(userId: string, figures: Figures): Promise<GrantedPlan> {
    return this.write(BEGIN, userId, figures)
  }

  set(userId: string, figures: Figures): Promise<GrantedPlan> {
    return this.write(SET, userId, figures)
  }

  async findAll(userIds: readonly string[]): Promise<Map<string, GrantedPlan>> {
    const { rows } = await this.pool.query<Stored>('SELECT * FROM user_plan WHERE user_id = ANY($1)', [userIds])
    return new Map(rows.map((row) => [row.user_id, planOf(row)]))
  }

  /** How much of it somebody has. */
  async countUsed(userId: string): Promise<PlanUse> {
    const { rows } = await this.pool.query<PlanUse>(USED, [userId])
    return rows[0] as PlanUse
  }

  private async write(text: string, userId: string, { nodes, clusters, startsAt, expiresAt }: Figures): Promise<GrantedPlan> {
    const values = [userId, `user-plan-${randomUUID()}`, nodes, clusters, startsAt, expiresAt]
    const { rows } = await this.pool.query<Stored>(text, values)
    return planOf(rows[0] as Stored)
  }
}

function planOf({ id, nodes, clusters, starts_at, expires_at }: Stored): GrantedPlan {
  return { id, nodes, clusters, startsAt: starts_at, expiresAt: expires_at }
}
