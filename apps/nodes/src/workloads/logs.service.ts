import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { DriverUnavailable, NodeDriver } from '../drivers/driver.js'
import { NodeSealerService } from '../sealing/node-sealer.service.js'
import { NodeCredentials } from './credentials.service.js'
import { printable } from './log-lines.js'
import type { Ownership } from './workloads.repository.js'
import { Workloads } from './workloads.service.js'

/** What machines have written of themselves. */
@Injectable()
export class Logs {
  constructor(
    private readonly workloads: Workloads,
    private readonly driver: NodeDriver,
    private readonly credentials: NodeCredentials,
    private readonly sealer: NodeSealerService,
  ) {}

  /** The newest lines of each machine, after its id where there are several. */
  async of(ownership: Ownership, lines: number): Promise<{ lines: string[] }> {
    const { workload, machines } = await this.workloads.find(ownership)
    const secrets = [this.credentials.open(workload), ...machines.map(({ id, sealedPassword }) => this.sealer.open(sealedPassword, id))]
    const logs = await Promise.all(
      machines.map(async ({ id }) => {
        const own = await this.driver.logs(id, lines).catch(rethrow)
        return own.map((line) => (machines.length > 1 ? `${id} ` : '') + printable(line, secrets))
      }),
    )
    return { lines: logs.flat() }
  }
}

function rethrow(error: Error): never {
  throw error instanceof DriverUnavailable ? new Problem('unavailable', 'LogsUnavailable', error.message) : error
}
