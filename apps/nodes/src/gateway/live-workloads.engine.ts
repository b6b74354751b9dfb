import { Injectable } from '@nestjs/common'
import { LiveRows } from '@trestle/database/live-rows'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { addressesOf } from '@trestle/runtime/address-ranges'
import { Clock } from '@trestle/runtime/clock'
import { UsageService } from '@trestle/usage/usage.service'
import { familyOf } from '../catalogue/blueprint.js'
import { isCallable, type LiveMember, type LiveWorkload, reasonNotCallable } from './live-workload.js'
import { LiveWorkloadsRepository, type MachineRow, type WorkloadRow } from './live-workloads.repository.js'
import type { MachineClient } from './machine.client.js'
import { MachineClients } from './machine-clients.service.js'

export type Workload = LiveWorkload<MachineClient>
export type Member = LiveMember<MachineClient>

/** The workloads that this process serves. Changes are announced by id. */
@Injectable()
export class LiveWorkloads extends LiveRows<WorkloadRow, Workload, string> {
  constructor(repository: LiveWorkloadsRepository, clients: MachineClients, usage: UsageService<string>, clock: Clock) {
    super({
      clock,
      id: /^(?:node|cluster)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      list: (ids) => repository.listByIds(ids),
      idsOf: ({ id }) => [{ id }],
      versionOf: (row) => JSON.stringify(row),
      make: (row) => workloadOf(row, clients, usage),
      keyOf: (id) => id,
      missingMs: 1_000,
      idleMs: 600_000,
      refuse: (reason) => (reason === 'busy' ? busy() : undefined),
    })
  }
}

function busy(): Problem {
  return new Problem('unavailable', 'GatewayBusy', 'Too many nodes are looked up at the moment.', { headers: retryAfter(1) })
}

function workloadOf(row: WorkloadRow, clients: MachineClients, usage: UsageService<string>): Workload {
  const { digest, allowedIps, machines, ...rest } = row
  const { id, kind, userId } = row
  const family = familyOf(row)
  return {
    ...rest,
    family,
    digest: Buffer.from(digest, 'hex'),
    allowedIps: allowedIps.length > 0 ? addressesOf(allowedIps) : undefined,
    members: machines.filter((machine) => isCallable(kind, machine)).flatMap((machine) => memberOf(machine, family, clients)),
    reasonNotCallable: reasonNotCallable(machines),
    meter: usage.meterOf({ of: id, ownerId: userId, params: { id } }),
  }
}

function memberOf(machine: MachineRow, family: Workload['family'], clients: MachineClients): Member[] {
  const { id, host, port, sealedPassword, phase, isDraining, height } = machine
  const client = host && port ? clients.of({ id, host, port, sealedPassword, family }) : undefined
  return client ? [{ id, client, isReady: phase === 'ready', isDraining, height: height ?? 0 }] : []
}
