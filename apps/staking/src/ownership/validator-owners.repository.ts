import { Injectable } from '@nestjs/common'
import { type Dissolution, lockOrganization, saveDissolution } from '@trestle/auth/dissolved-organizations'
import { validatorTransferred } from '@trestle/contracts/staking/messages'
import { transaction } from '@trestle/database/transaction'
import { Turns } from '@trestle/database/turns'
import { Outbox } from '@trestle/messaging/outbox'
import { Pool, type PoolClient } from 'pg'
import { dayOf } from '../rewards/days.js'

/** A validator that moves from one organization to another. */
export interface Transfer {
  readonly serial: number
  readonly chain: string
  /** Hexadecimal. */
  readonly pubkey: string
  readonly from: string
  readonly to: string
}

// A validator, or all of them, from today, or from the first day that is not sealed.
const MOVE = `
  WITH moved AS (
    UPDATE validator SET organization_id = $2 WHERE organization_id = $1 AND ($3::int IS NULL OR serial = $3) RETURNING serial)
  INSERT INTO validator_ownership (serial, organization_id, from_day)
  SELECT serial, $2, greatest(first_open_day($4), (SELECT max(from_day) FROM validator_ownership AS owned WHERE owned.serial = moved.serial))
    FROM moved`

/** Changes who owns validators, and from which day. */
@Injectable()
export class ValidatorOwnersRepository {
  /** What waits for the same lock of Postgres waits here: there, it would keep connections from everybody else. */
  private readonly turns = new Turns(1)

  constructor(
    private readonly pool: Pool,
    private readonly outbox: Outbox,
  ) {}

  /** False if it does not belong to the organization any more. Throws Problem `UnknownOrganization` if the new one was dissolved. */
  async transfer({ serial, chain, pubkey, from, to }: Transfer, userId: string, now: Date): Promise<boolean> {
    const move = async (client: PoolClient) => {
      await lockOrganization(client, to)
      const { rowCount } = await client.query(MOVE, [from, to, serial, dayOf(now)])
      if (!rowCount) return false
      const owners = { fromOrganizationId: from, toOrganizationId: to }
      await this.outbox.add(client, validatorTransferred, { chain, pubkey, ...owners, userId, transferredAt: now.toISOString() })
      return true
    }
    const moved = await this.turns.run(`organization ${to}`, () => transaction(this.pool, move))
    this.outbox.wake()
    return moved
  }

  /** Everything of a dissolved organization; again, it changes nothing. */
  async inherit(dissolution: Dissolution, now: Date): Promise<void> {
    await transaction(this.pool, async (client) => {
      await saveDissolution(client, dissolution)
      await client.query(MOVE, [dissolution.organizationId, dissolution.heirId, null, dayOf(now)])
    })
  }
}
