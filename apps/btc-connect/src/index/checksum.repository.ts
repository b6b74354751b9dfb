import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

// Owners by their scripts: their keys depend on the secret of the index.
const CONTENTS = {
  block: 'SELECT height, hash, header, time, size, tx_count, first_tx_id, chainwork, coinbase, payout_script FROM block',
  tx: 'SELECT tx_id, txid, height FROM tx',
  tx_raw: 'SELECT tx_id, raw FROM tx_raw',
  own_script: 'SELECT tx_id, vout, script FROM own_script',
  txo: 'SELECT tx_id, vout, value, script, spent_tx_id, spent_vin FROM txo LEFT JOIN script USING (script_key)',
  script: 'SELECT script, received, sent, tx_count, utxo_count FROM script',
  script_tx: 'SELECT script, pos, tx_id FROM script_tx LEFT JOIN script USING (script_key)',
}

// A sum of 64-bit hashes does not depend on the order of the rows.
const DIGEST = (content: string) => `
  SELECT count(*) || ':' || coalesce(sum(hash_record_extended(row, 0)::numeric), 0) AS digest FROM (${content}) AS row`

export type IndexChecksum = Readonly<Record<keyof typeof CONTENTS, string>>

/** Compares whole indexes: two of the same chain have the same checksum, however they were built. */
@Injectable()
export class ChecksumRepository {
  constructor(private readonly pool: Pool) {}

  async compute(): Promise<IndexChecksum> {
    const digests: [string, string][] = []
    for (const [table, content] of Object.entries(CONTENTS)) {
      const { rows } = await this.pool.query<{ digest: string }>(DIGEST(content))
      digests.push([table, rows[0]?.digest ?? ''])
    }
    return Object.fromEntries(digests) as IndexChecksum
  }
}
