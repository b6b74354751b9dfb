import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import type { RowGauge } from '@trestle/database/database-metrics'
import type { StakingEnv } from './env.js'
import { type Prisma, PrismaClient } from './generated/prisma/client.js'

/** The client of the staking schema. Repositories use pg's `Pool` instead for what is written in bulk or under a lease. */
export class StakingDatabase extends PrismaClient {}

export type StakingTransaction = Prisma.TransactionClient

const GAUGES: readonly RowGauge[] = [
  {
    name: 'staking_validators',
    help: 'Validators by the status at their chain.',
    labels: ['chain', 'status'],
    sql: `SELECT chain, coalesce(beacon_status, 'unknown') AS status, count(*)::int AS count
          FROM validator WHERE removed_at IS NULL GROUP BY 1, 2`,
  },
  {
    name: 'staking_signers',
    help: 'Signers of regions: bound, other (another one answers than was accepted) or away.',
    labels: ['chain', 'region', 'state'],
    sql: `SELECT chain, region, CASE WHEN away_since IS NOT NULL THEN 'away' WHEN other_since IS NOT NULL THEN 'other' ELSE 'bound' END AS state,
            1 AS count FROM region_signer`,
  },
]

export function databaseModule({ DATABASE_URL }: StakingEnv): DynamicModule {
  return DatabaseModule.forRoot({ url: DATABASE_URL, schema: 'staking', service: 'staking', gauges: GAUGES, client: StakingDatabase })
}
