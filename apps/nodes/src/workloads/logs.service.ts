import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { DriverUnavailable, NodeDriver } from '../drivers/driver.js'
import { NodeSealerService } from '../sealing/node-sealer.service.js'
import { printable } from './log-lines.js'
import { unknownWorkload, type WorkloadKey } from './workload.js'
import { WorkloadAccessService } from './workload-access.service.js'
import { WorkloadsRepository } from './workloads.repository.js'

/** The logs of machines. */
@Injectable()
export class LogsService {
  constructor(
    private readonly repository: WorkloadsRepository,
    private readonly driver: NodeDriver,
    private readonly access: WorkloadAccessService,
    private readonly sealer: NodeSealerService,
  ) {}

  /** The newest lines of each machine, prefixed with its id if there are several. */
  async read(key: WorkloadKey, lines: number): Promise<{ lines: string[] }> {
    const found = await this.repository.find(key)
    if (!found) throw unknownWorkload(key.kind)
    const { workload, machines } = found
    const secrets = [this.access.passwordOf(workload), ...machines.map(({ id, sealedPassword }) => this.sealer.open(sealedPassword, id))]
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
