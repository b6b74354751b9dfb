import type { Pool } from 'pg'
import { ChecksumRepository, type IndexChecksum } from '../../src/index/checksum.repository.js'

// Each finds rows that contradict others; there must be none. All of it can be said of the tables alone, without a node.
const CONTRADICTIONS: Record<string, string> = {
  'heights have no gap': 'SELECT height FROM block WHERE height <> (SELECT count(*) FROM block AS lower WHERE lower.height < block.height)',
  'blocks follow one another': `
    SELECT height FROM (SELECT height, substring(header FROM 5 FOR 32) AS previous, lag(hash) OVER (ORDER BY height) AS hash FROM block) AS pair
    WHERE hash IS NOT NULL AND encode(previous, 'hex') <>
      (SELECT string_agg(substring(encode(hash, 'hex') FROM n FOR 2), '' ORDER BY n DESC) FROM generate_series(1, 63, 2) AS n)`,
  'transactions are numbered without a gap': `
    SELECT b.height FROM block AS b LEFT JOIN tx AS t ON t.tx_id >= b.first_tx_id AND t.tx_id < b.first_tx_id + b.tx_count AND t.height = b.height
    GROUP BY b.height, b.tx_count HAVING count(t.tx_id) <> b.tx_count`,
  'no transaction is of no block': 'SELECT tx_id FROM tx WHERE tx_id >= (SELECT sum(tx_count) FROM block) OR tx_id < 0',
  'every output is of a transaction': 'SELECT tx_id FROM txo LEFT JOIN tx USING (tx_id) WHERE tx.tx_id IS NULL',
  'nothing is spent before it is there': 'SELECT tx_id FROM txo WHERE spent_tx_id <= tx_id',
  'nobody spends who is not there':
    'SELECT o.tx_id FROM txo AS o LEFT JOIN tx AS t ON t.tx_id = o.spent_tx_id WHERE o.spent_tx_id IS NOT NULL AND t.tx_id IS NULL',
  'an input spends one output':
    'SELECT spent_tx_id FROM txo WHERE spent_tx_id IS NOT NULL GROUP BY spent_tx_id, spent_vin HAVING count(*) > 1',
  'figures are sums': `
    SELECT script_key FROM script FULL JOIN (
      SELECT script_key, sum(value) AS received, coalesce(sum(value) FILTER (WHERE spent_tx_id IS NOT NULL), 0) AS sent,
             count(*) FILTER (WHERE spent_tx_id IS NULL) AS utxo_count FROM txo GROUP BY script_key) AS sums USING (script_key)
    WHERE (script.received, script.sent, script.utxo_count) IS DISTINCT FROM (sums.received, sums.sent, sums.utxo_count::int)`,
  'histories are what outputs and spends say': `
    WITH said AS (SELECT script_key, tx_id FROM txo UNION SELECT script_key, spent_tx_id FROM txo WHERE spent_tx_id IS NOT NULL),
         numbered AS (SELECT script_key, row_number() OVER (PARTITION BY script_key ORDER BY tx_id) - 1 AS pos, tx_id FROM said)
    SELECT script_key FROM numbered FULL JOIN script_tx USING (script_key, pos, tx_id) WHERE numbered.pos IS NULL OR script_tx.pos IS NULL`,
  'histories are as long as they say': `
    SELECT script_key FROM script FULL JOIN (SELECT script_key, count(*) AS length FROM script_tx GROUP BY 1) AS history USING (script_key)
    WHERE script.tx_count IS DISTINCT FROM history.length::int`,
  'undo is what a block spent': `
    SELECT b.height FROM block_undo AS u JOIN block AS b USING (height)
    WHERE (SELECT array_agg(s ORDER BY s) FROM (SELECT unnest(u.spent_tx_ids) || ':' || unnest(u.spent_vouts) AS s) AS kept) IS DISTINCT FROM
          (SELECT array_agg(s ORDER BY s) FROM (SELECT tx_id || ':' || vout AS s FROM txo
             WHERE spent_tx_id >= b.first_tx_id AND spent_tx_id < b.first_tx_id + b.tx_count) AS spent)`,
  'undo is of the newest blocks': `
    SELECT height FROM generate_series((SELECT greatest(1, max(height) - 25) FROM block), (SELECT max(height) FROM block)) AS height
    LEFT JOIN block_undo USING (height) WHERE block_undo.height IS NULL`,
  'undo is of our blocks': 'SELECT u.height FROM block_undo AS u LEFT JOIN block AS b USING (height) WHERE b.height IS NULL',
  'what waits by what it pays is what waits': `
    SELECT band.rate FROM mempool_band AS band LEFT JOIN (
      SELECT coalesce(rate, -1) AS rate, count(*) AS transactions, sum(coalesce(vsize, octet_length(raw))) AS vsize, coalesce(sum(fee), 0) AS fees
      FROM mempool_tx GROUP BY 1) AS waiting USING (rate)
    WHERE (band.transactions, band.vsize, band.fees) <>
      (coalesce(waiting.transactions, 0), coalesce(waiting.vsize, 0), coalesce(waiting.fees, 0))`,
  'no block is ours and stale': 'SELECT hash FROM block JOIN stale_block USING (hash)',
}

/** What the tables of an index say against each other. */
export async function contradictionsIn(sql: Pool): Promise<string[]> {
  const found: string[] = []
  for (const [rule, query] of Object.entries(CONTRADICTIONS)) {
    const { rows, rowCount } = await sql.query(`${query} LIMIT 5`)
    if (rowCount !== 0) found.push(`${rule}: ${JSON.stringify(rows)}`)
  }
  return found
}

/** Two indexes of one chain have the same. */
export function checksumOf(sql: Pool): Promise<IndexChecksum> {
  return new ChecksumRepository(sql).compute()
}
