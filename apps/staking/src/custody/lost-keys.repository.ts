import { Injectable } from '@nestjs/common'
import { StakingDatabase } from '../database.module.js'

/** A key that its signer no longer lists. */
export interface KeyLoss {
  readonly chain: string
  readonly pubkey: Buffer
  readonly region: string
  readonly organizationId: string
  readonly beaconStatus?: string
  readonly lostAt: Date
  readonly silentEpochs: number
  readonly allowedAt?: Date
  readonly problem?: string
}

const MAX_LISTED = 1_000

/** Keys that signers lost. */
@Injectable()
export class LostKeysRepository {
  constructor(private readonly database: StakingDatabase) {}

  /** The oldest loss first. */
  async list(): Promise<KeyLoss[]> {
    const rows = await this.database.validator.findMany({
      where: { lostAt: { not: null } },
      orderBy: [{ lostAt: 'asc' }, { serial: 'asc' }],
      take: MAX_LISTED,
    })
    return rows.flatMap(({ chain, pubkey, region, organizationId, lostAt, ...row }) => {
      if (!lostAt) return []
      const silentEpochs = row.silentFrom === null || row.silentTo === null ? 0 : Number(row.silentTo - row.silentFrom) + 1
      const known = {
        beaconStatus: row.beaconStatus ?? undefined,
        allowedAt: row.recoveryAllowedAt ?? undefined,
        problem: row.signerProblem ?? undefined,
      }
      return [{ chain, pubkey: Buffer.from(pubkey), region, organizationId, lostAt, silentEpochs, ...known }]
    })
  }

  /** Its chain; undefined if it is not lost. */
  async allow(pubkey: Buffer, by: { readonly userId: string; readonly at: Date }): Promise<string | undefined> {
    const key = Uint8Array.from(pubkey)
    const data = { recoveryAllowedAt: by.at, recoveryAllowedBy: by.userId }
    const { count } = await this.database.validator.updateMany({ where: { pubkey: key, lostAt: { not: null } }, data })
    if (count === 0) return undefined
    return (await this.database.validator.findUniqueOrThrow({ where: { pubkey: key }, select: { chain: true } })).chain
  }
}
