import { Injectable } from '@nestjs/common'
import { LiveRows } from '@trestle/database/live-rows'
import type { RequiredCredentials } from '@trestle/gateway/access-rules'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { addressesOf } from '@trestle/runtime/address-ranges'
import { Clock } from '@trestle/runtime/clock'
import { UsageService } from '@trestle/usage/usage.service'
import { familyOf } from '../catalogue/blueprint.js'
import { isCallable, type LiveMember, type LiveWorkload, reasonNotCallable } from './live-workload.js'
import { LiveWorkloadsRepository, type MachineRow, type WorkloadRow } from './live-workloads.repository.js'
import type { MachineClient } from './machine.client.js'
import { MachineClients } from './machine-clients.engine.js'

export type ServedWorkload = LiveWorkload<MachineClient>
export type WorkloadMember = LiveMember<MachineClient>

/** The workloads that this process serves. Changes are announced by id. */
@Injectable()
export class LiveWorkloads extends LiveRows<WorkloadRow, ServedWorkload, string> {
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

function workloadOf(row: WorkloadRow, clients: MachineClients, usage: UsageService<string>): ServedWorkload {
  const { id, kind, desiredState, chain, network, daemon, organizationId, userId: ownerId, machines, allowedIps } = row
  const family = familyOf(row)
  const meter = usage.meterOf({ of: id, ownerId, organizationId, params: { id } })
  return {
    id,
    kind,
    desiredState,
    chain,
    network,
    family,
    daemon,
    access: {
      organizationId,
      ownerId,
      credentials: credentialsOf(row),
      addresses: allowedIps.length > 0 ? addressesOf(allowedIps) : undefined,
      onAdmitted: (caller) => meter.noteCaller(caller),
    },
    isOpen: row.authType === 'none' && allowedIps.length === 0,
    members: machines
      .filter((machine) => isCallable(kind, machine))
      .flatMap((machine) => memberOf(machine, { family, daemon, network }, clients)),
    reasonNotCallable: reasonNotCallable(machines),
    meter,
  }
}

function credentialsOf({ authType, digest }: WorkloadRow): RequiredCredentials {
  if (authType === 'basic') return { type: 'basic', digest: Buffer.from(digest, 'hex') }
  return authType === 'jwt' ? { type: 'token', permission: 'nodes:call' } : { type: 'none' }
}

function memberOf(
  machine: MachineRow,
  program: Pick<ServedWorkload, 'family' | 'daemon' | 'network'>,
  clients: MachineClients,
): WorkloadMember[] {
  const { id, host, port, sealedPassword, phase, isDraining, height } = machine
  const client = host && port ? clients.of({ id, host, port, sealedPassword, ...program }) : undefined
  return client ? [{ id, client, isReady: phase === 'ready', isDraining, height: height ?? 0 }] : []
}
