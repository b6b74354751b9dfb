import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import type { RowGauge } from '@trestle/database/database-metrics'
import type { NodesEnv } from './env.js'
import { PrismaClient } from './generated/prisma/client.js'

/** The client of the nodes schema. */
export class NodesDatabase extends PrismaClient {}

const GAUGES: readonly RowGauge[] = [
  {
    name: 'nodes_machines',
    help: 'Machines of nodes and clusters, by phase.',
    labels: ['kind', 'phase'],
    sql: `SELECT kind, phase, count(*)::int AS count FROM workload_machine AS machine JOIN workload ON workload.id = workload_id
          WHERE gone_at IS NULL GROUP BY 1, 2`,
  },
]

export function databaseModule({ DATABASE_URL }: Pick<NodesEnv, 'DATABASE_URL'>): DynamicModule {
  return DatabaseModule.forRoot({ url: DATABASE_URL, schema: 'nodes', service: 'nodes', gauges: GAUGES, client: NodesDatabase })
}
