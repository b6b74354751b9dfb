import type pg from 'pg'

// A naive ledger: a row for each validator and epoch, summed up for each report.

const TABLES = `
  CREATE SCHEMA naive_ledger;
  CREATE TABLE naive_ledger.reward (
    validator int, epoch int, closing_gwei bigint NOT NULL, withdrawals_gwei bigint NOT NULL, deposits_gwei bigint NOT NULL,
    rewards_gwei bigint NOT NULL, penalties_gwei bigint NOT NULL, rounding_gwei bigint NOT NULL, PRIMARY KEY (validator, epoch)
  )`

const INSERT = `
  INSERT INTO naive_ledger.reward SELECT validator, $2, closing, 0, 0, earned, 0, 0
  FROM unnest($1::int[], $3::bigint[], $4::bigint[]) AS given (validator, closing, earned)`

const REPORT = `
  SELECT validator, sum(rewards_gwei), sum(penalties_gwei), sum(rounding_gwei), (array_agg(closing_gwei ORDER BY epoch DESC))[1]
  FROM naive_ledger.reward WHERE validator = ANY ($1::int[]) AND epoch BETWEEN $2 AND $3 GROUP BY validator`

const AT_ONCE = 1000

export class NaiveLedger {
  private readonly db: pg.Client

  constructor(db: pg.Client) {
    this.db = db
  }

  async create(): Promise<void> {
    await this.db.query(TABLES)
  }

  async book(epoch: number, validators: readonly number[]): Promise<void> {
    await this.db.query('BEGIN')
    for (let from = 0; from < validators.length; from += AT_ONCE) {
      const some = validators.slice(from, from + AT_ONCE)
      const columns = [some.map((validator) => 32_000_000_000 + validator), some.map((validator) => 10_000 + (validator % 700))]
      await this.db.query({ name: 'naive', text: INSERT, values: [some, epoch, ...columns] })
    }
    await this.db.query('COMMIT')
  }

  async report(validators: readonly number[], from: number, to: number): Promise<void> {
    await this.db.query(REPORT, [validators, from, to])
  }

  async bytes(): Promise<number> {
    const { rows } = await this.db.query<{ bytes: string }>("SELECT pg_total_relation_size('naive_ledger.reward') AS bytes")
    return Number(rows[0]?.bytes)
  }
}
