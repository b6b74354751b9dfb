import { Injectable } from '@nestjs/common'
import { addressesOf } from '@trestle/runtime/address-ranges'
import { UsageService } from '@trestle/usage/usage.service'
import { familyOf } from '../catalogue/blueprint.js'
import { isCallable, type LiveHolding, type LiveMember, waitsFor } from './live-holding.js'
import { type HoldingRow, LiveHoldingsRepository, type MachineRow } from './live-holdings.repository.js'
import type { MachineClient } from './machine.client.js'
import { MachineClients } from './machine-clients.service.js'

export type Holding = LiveHolding<MachineClient>
export type Member = LiveMember<MachineClient>

/** What was read of a holding, and what was made of it. */
export interface Found {
  readonly holding: Holding
  readonly text: string
}

/** Reads holdings as calls are held against them. */
@Injectable()
export class HoldingReader {
  constructor(
    private readonly repository: LiveHoldingsRepository,
    private readonly clients: MachineClients,
    private readonly usage: UsageService<string>,
  ) {}

  /** By id. One that is held and reads as before is not made again. */
  async read(ids: readonly string[], held: (id: string) => Found | undefined): Promise<Map<string, Found>> {
    const found = new Map<string, Found>()
    for (const row of await this.repository.listByIds(ids)) {
      const text = JSON.stringify(row)
      const known = held(row.id)
      found.set(row.id, known?.text === text ? known : { holding: this.make(row), text })
    }
    return found
  }

  private make(row: HoldingRow): Holding {
    const { id, kind, userId, wanted, authType, chain, network, machines } = row
    const family = familyOf(row)
    const callable = machines.filter((machine) => isCallable(kind, machine))
    return {
      id,
      kind,
      userId,
      wanted,
      authType,
      digest: Buffer.from(row.digest, 'hex'),
      allowedIps: row.allowedIps.length > 0 ? addressesOf(row.allowedIps) : undefined,
      chain,
      network,
      family,
      members: callable.flatMap((machine) => this.memberOf(machine, family)),
      waitsFor: waitsFor(machines),
      meter: this.usage.meterOf({ of: id, ownerId: userId, params: { id } }),
    }
  }

  private memberOf(machine: MachineRow, family: Holding['family']): Member[] {
    const { id, host, port, sealedPassword, phase, isDraining, height } = machine
    const client = host && port ? this.clients.of({ id, host, port, sealedPassword, family }) : undefined
    return client ? [{ id, client, isReady: phase === 'ready', isDraining, height: height ?? 0 }] : []
  }
}
