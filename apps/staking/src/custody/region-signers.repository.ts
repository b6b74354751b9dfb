import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Pool } from 'pg'
import { StakingDatabase } from '../database.module.js'
import type { RegionSigner as StoredSigner } from '../generated/prisma/client.js'
import type { KeyCount, SignerRecord } from './region-signer.js'

const SAVE = `
  INSERT INTO region_signer (chain, region, identity, bound_at, accepted_by, other_identity, other_reason, other_since, away_reason, away_since,
    keys, unknown_keys, watched_at, watched_since)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  ON CONFLICT (chain, region) DO UPDATE SET identity = $3, bound_at = $4, accepted_by = $5, other_identity = $6, other_reason = $7,
    other_since = $8, away_reason = $9, away_since = $10, keys = $11, unknown_keys = $12, watched_at = $13, watched_since = $14
  WHERE region_signer.identity IS NOT DISTINCT FROM $15`

const COUNT = `
  SELECT
    (SELECT count(*)::int FROM validator
     WHERE chain = $1 AND region = $2 AND listed_at IS NOT NULL AND lost_at IS NULL AND released_at IS NULL) AS expected,
    (SELECT count(*)::int FROM validator
     WHERE chain = $1 AND region = $2 AND listed_at IS NOT NULL AND lost_at IS NULL AND released_at IS NULL AND pubkey = ANY($3)) AS found,
    (SELECT count(*)::int FROM unnest($3::bytea[]) AS listed (key)
     WHERE NOT EXISTS (SELECT FROM validator WHERE pubkey = listed.key)) AS unknown`

/** The signers that regions are bound to. */
@Injectable()
export class RegionSignersRepository {
  constructor(
    private readonly pool: Pool,
    private readonly database: StakingDatabase,
  ) {}

  async list(chain?: string): Promise<SignerRecord[]> {
    const rows = await this.database.regionSigner.findMany({ where: { chain }, orderBy: [{ chain: 'asc' }, { region: 'asc' }] })
    return rows.map(signerOf)
  }

  /** Not over another signer that was accepted meanwhile. */
  save(lease: Lease, signers: readonly SignerRecord[], before: ReadonlyMap<string, SignerRecord>): Promise<void> {
    return lease.transaction(this.pool, async (client) => {
      for (const signer of signers) {
        const { chain, region, identity, boundAt, acceptedBy, other, away, keys, unknownKeys, watchedAt, watchedSince } = signer
        const bound = [chain, region, identity, boundAt, acceptedBy]
        const found = [other?.identity, other?.reason, other?.since, away?.reason, away?.since, keys, unknownKeys]
        await client.query(SAVE, [...bound, ...found, watchedAt, watchedSince, before.get(region)?.identity])
      }
    })
  }

  async count(chain: string, region: string, listed: readonly Buffer[]): Promise<KeyCount> {
    const { rows } = await this.pool.query<KeyCount>(COUNT, [chain, region, listed])
    return rows[0] ?? { expected: 0, found: 0, unknown: 0 }
  }

  /** Up to so many of the listed keys that no validator has. */
  async unknownOf(listed: readonly Buffer[], limit: number): Promise<Buffer[]> {
    const text = 'SELECT key FROM unnest($1::bytea[]) AS listed (key) WHERE NOT EXISTS (SELECT FROM validator WHERE pubkey = key) LIMIT $2'
    const { rows } = await this.pool.query<{ key: Buffer }>(text, [listed, limit])
    return rows.map(({ key }) => key)
  }

  /** False if what answers there is no longer this one. From then on, what the former one had is lost unless the new one lists it. */
  accept(signer: Pick<SignerRecord, 'chain' | 'region'>, identity: string, by: { userId: string; at: Date }): Promise<boolean> {
    const where = { chain: signer.chain, region: signer.region, otherIdentity: identity }
    return this.database.$transaction(async (tx) => {
      const none = { otherIdentity: null, otherReason: null, otherSince: null }
      const data = { identity, boundAt: by.at, acceptedBy: by.userId, ...none }
      const { count } = await tx.regionSigner.updateMany({ where, data })
      if (count === 0) return false
      const { chain, region } = signer
      const held = { chain, region, listedAt: { not: null }, releasedAt: null }
      await tx.validator.updateMany({ where: { ...held, lostAt: null }, data: { lostAt: by.at } })
      // What was allowed before was about another signer.
      await tx.validator.updateMany({ where: { chain, region }, data: { recoveryAllowedAt: null, silentFrom: null, silentTo: null } })
      return true
    })
  }
}

function signerOf(row: StoredSigner): SignerRecord {
  const { chain, region, otherIdentity, otherReason, otherSince, awayReason, awaySince, keys, unknownKeys, watchedAt, watchedSince } = row
  const reason = otherReason === 'keys' ? 'keys' : 'identity'
  return {
    ...{ chain, region, keys, unknownKeys, watchedAt, watchedSince },
    identity: row.identity ?? undefined,
    boundAt: row.boundAt ?? undefined,
    acceptedBy: row.acceptedBy ?? undefined,
    other: otherIdentity !== null && otherSince ? { identity: otherIdentity, reason, since: otherSince } : undefined,
    away: awayReason !== null && awaySince ? { reason: awayReason, since: awaySince } : undefined,
  }
}
