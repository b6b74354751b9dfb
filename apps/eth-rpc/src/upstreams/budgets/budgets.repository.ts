import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { SpentUnits } from './budget.js'

/** What a process has asked in a month, in all. */
export interface ProcessSpending extends SpentUnits {
  readonly process: string
}

interface SpendingQuery {
  readonly month: number
  readonly budgets: readonly string[]
  /** Of all processes but these. */
  readonly except: readonly string[]
}

/** Sums of what was asked of providers: sets of rows, in plain SQL. */
@Injectable()
export class BudgetsRepository {
  constructor(private readonly pool: Pool) {}

  /** May be repeated: of two sums of a process the greater one counts. */
  async write(spent: readonly ProcessSpending[]): Promise<void> {
    const months = spent.map(({ month }) => dateOf(month))
    const columns = [spent.map(({ budget }) => budget), months, spent.map(({ process }) => process), spent.map(({ units }) => units)]
    await this.pool.query({ name: 'write_provider_spending', text: WRITE, values: columns })
  }

  async sum({ month, budgets, except }: SpendingQuery): Promise<SpentUnits[]> {
    const values = [dateOf(month), budgets, except]
    const { rows } = await this.pool.query<{ budget: string; units: number }>({ name: 'sum_provider_spending', text: SUM, values })
    return rows.map(({ budget, units }) => ({ budget, month, units }))
  }

  /** Adds up the rows of processes that have written none since, and removes old months. */
  async tidy({ silentSince, oldestMonth }: { silentSince: Date; oldestMonth: Date }): Promise<void> {
    await this.pool.query(ADD_UP, [silentSince])
    await this.pool.query('DELETE FROM provider_spending WHERE month < $1', [dateOf(oldestMonth.getTime())])
  }
}

/** Of UTC, whatever the session's time zone. */
function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

const WRITE = `
  INSERT INTO provider_spending AS known (budget, month, process, units, written_at)
  SELECT given.*, now() FROM unnest($1::text[], $2::date[], $3::uuid[], $4::float8[]) AS given (budget, month, process, units)
   ORDER BY budget, month, process
  ON CONFLICT (budget, month, process) DO UPDATE SET units = greatest(known.units, excluded.units), written_at = excluded.written_at`

const SUM = `
  SELECT budget, sum(units) AS units FROM provider_spending
   WHERE month = $1::date AND budget = ANY($2::text[]) AND process <> ALL($3::uuid[]) GROUP BY budget`

const ADD_UP = `
  WITH gone AS (
    DELETE FROM provider_spending WHERE written_at < $1 AND process <> '00000000-0000-0000-0000-000000000000' RETURNING budget, month, units
  )
  INSERT INTO provider_spending AS known (budget, month, process, units, written_at)
  SELECT budget, month, '00000000-0000-0000-0000-000000000000', sum(units), now() FROM gone GROUP BY budget, month ORDER BY budget, month
  ON CONFLICT (budget, month, process) DO UPDATE SET units = known.units + excluded.units, written_at = excluded.written_at`
