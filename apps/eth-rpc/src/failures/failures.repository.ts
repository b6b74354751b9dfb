import { Injectable } from '@nestjs/common'
import { deleteInBatches } from '@trestle/database/delete-in-batches'
import { Pool } from 'pg'
import { EthRpcDatabase } from '../database.module.js'
import type { FailedCall as FailedCallRow } from '../generated/prisma/client.js'
import type { FailureDetail, FailureSample } from './failed-call.js'
import type { FailureRows } from './failure-book.engine.js'

/** Of a project, and of one method and code of it: so many of something that fails all the time leave room for the rest. */
export const MAX_SAMPLES = 1_000
export const MAX_SAMPLES_OF_KIND = 200
const MAX_REPORT_ROWS = 10_000
const MAX_OF_REQUEST = 100

/** Some rows and their number: the same number twice is the same rows. */
export interface FailureBatch extends FailureRows {
  readonly process: string
  readonly seq: number
}

interface ErrorQuery {
  readonly project: number
  readonly from: Date
  readonly to: Date
  readonly granularity: 'hour' | 'day'
}

interface ErrorRow {
  readonly time: Date
  readonly method: string
  readonly code: number
  readonly count: number
}

interface SampleQuery {
  readonly project: number
  readonly method?: string
  readonly code?: number
  /** Those before this id. */
  readonly before?: string
  readonly limit: number
}

/** Writes and removals are sets of rows, and lock those of projects: plain SQL. */
@Injectable()
export class FailuresRepository {
  constructor(
    private readonly database: EthRpcDatabase,
    private readonly pool: Pool,
  ) {}

  /** Writes all rows or none; again with the same number it changes nothing. What is of a project that is gone, or wants no samples, is left out. */
  async write({ process, seq, counts, samples }: FailureBatch): Promise<void> {
    const values = [
      ...[process, seq, [...new Set([...counts, ...samples].map(({ project }) => project))]],
      ...[counts.map(({ project }) => project), counts.map(({ hour }) => new Date(hour)), counts.map(({ method }) => method)],
      ...[counts.map(({ code }) => code), counts.map(({ failures }) => failures)],
      ...[samples.map(({ project }) => project), samples.map(({ id }) => id), samples.map(({ time }) => time)],
      ...[samples.map(({ requestId }) => requestId), samples.map(({ method }) => method), samples.map(({ code }) => code)],
      samples.map(({ detail }) => JSON.stringify(detail)),
    ]
    await this.pool.query({ name: 'write_failures', text: WRITE, values })
  }

  /** Removes what a project has too many of. */
  async trim(projects: readonly number[]): Promise<void> {
    await this.pool.query(TRIM, [projects, MAX_SAMPLES, MAX_SAMPLES_OF_KIND])
  }

  /** Oldest first; where there are too many, the newest. */
  async count({ project, from, to, granularity }: ErrorQuery): Promise<ErrorRow[]> {
    const { rows } = await this.pool.query<Omit<ErrorRow, 'count'> & { failures: string }>(COUNT, [
      project,
      from,
      to,
      granularity,
      MAX_REPORT_ROWS,
    ])
    return rows.map(({ failures, ...row }) => ({ ...row, count: Number(failures) }))
  }

  /** Newest first. */
  async list({ project, method, code, before, limit }: SampleQuery): Promise<FailureSample[]> {
    const where = { project, method, code, ...(before !== undefined && { id: { lt: before } }) }
    const rows = await this.database.failedCall.findMany({ where, orderBy: { id: 'desc' }, take: limit })
    return rows.map(toSample)
  }

  /** Oldest first. */
  async listOfRequest(project: number, requestId: string): Promise<FailureSample[]> {
    const rows = await this.database.failedCall.findMany({ where: { project, requestId }, orderBy: { id: 'asc' }, take: MAX_OF_REQUEST })
    return rows.map(toSample)
  }

  async removeBefore({ samples, counts }: { samples: Date; counts: Date }): Promise<void> {
    await deleteInBatches(this.pool, 'failed_call', 'time < $1', [samples])
    await deleteInBatches(this.pool, 'failure_hour', 'hour < $1', [counts])
  }
}

function toSample({ detail, ...row }: FailedCallRow): FailureSample {
  return { ...row, detail: JSON.parse(detail) as FailureDetail }
}

// FOR SHARE waits for a change of the project, and sees it: whoever wants no more samples gets none. Rows are written in the order of their
// keys, so that processes that write the same ones wait for each other and do not deadlock.
const WRITE = `
  WITH fresh AS (
    INSERT INTO usage_writer AS writer (process, seq, written_at) VALUES ($1, $2, now())
    ON CONFLICT (process) DO UPDATE SET seq = excluded.seq, written_at = now() WHERE writer.seq < excluded.seq
    RETURNING seq
  ), known_project AS (
    SELECT serial, failure_samples FROM project WHERE serial = ANY($3::int[]) AND EXISTS (SELECT FROM fresh) ORDER BY serial FOR SHARE
  ), sample AS (
    INSERT INTO failed_call (project, id, time, request_id, method, code, detail)
    SELECT given.* FROM unnest($9::int[], $10::uuid[], $11::timestamptz[], $12::text[], $13::text[], $14::int[], $15::text[])
           AS given (project, id, time, request_id, method, code, detail)
      JOIN known_project ON known_project.serial = given.project AND known_project.failure_samples
     ORDER BY given.project, given.id
  )
  INSERT INTO failure_hour AS known (project, hour, method, code, failures)
  SELECT given.* FROM unnest($4::int[], $5::timestamptz[], $6::text[], $7::int[], $8::bigint[]) AS given (project, hour, method, code, failures)
    JOIN known_project ON known_project.serial = given.project
   ORDER BY project, hour, method, code
  ON CONFLICT (project, hour, method, code) DO UPDATE SET failures = known.failures + excluded.failures`

const TRIM = `
  DELETE FROM failed_call WHERE ctid IN (
    SELECT ctid FROM failed_call WHERE (project, id) IN (
      SELECT project, id FROM (
        SELECT project, id, is_of_too_many, row_number() OVER (PARTITION BY project ORDER BY is_of_too_many, id DESC) AS place
          FROM (
            SELECT project, id, row_number() OVER (PARTITION BY project, method, code ORDER BY id DESC) > $3 AS is_of_too_many
              FROM failed_call WHERE project = ANY($1::int[])
          ) AS of_kind
      ) AS placed WHERE place > $2 OR is_of_too_many
    ) FOR UPDATE SKIP LOCKED
  )`

const COUNT = `
  SELECT * FROM (
    SELECT date_trunc($4, hour, 'UTC') AS time, method, code, sum(failures) AS failures
      FROM failure_hour WHERE project = $1 AND hour >= $2 AND hour < $3
     GROUP BY time, method, code ORDER BY time DESC, method, code LIMIT $5
  ) AS newest ORDER BY time, method, code`
