import { Injectable } from '@nestjs/common'
import { selectList } from '@trestle/database/columns'
import { Pool } from 'pg'
import type { User } from '../users/user.js'
import type { ExportSource } from './export-source.js'

const PAGE_SIZE = 500

type Row = Record<string, unknown>

/** Reads the tables of every feature, so that no feature has to know of the export. */
@Injectable()
export class DataExportRepository {
  constructor(private readonly pool: Pool) {}

  /** A page at a time, so that a user with very many rows takes little memory. */
  async *pages({ columns, from, where, key }: ExportSource, { id, email, emailCanonical }: User): AsyncGenerator<readonly Row[]> {
    const names = key.map(([name]) => name).join(', ')
    // Text, so that a position keeps every digit of a time.
    const position = key.map(([name], at) => `${name}::text AS "key${at}"`).join(', ')
    const bounds = key.map(([, type], at) => `$${at + 4}::${type}`).join(', ')
    const select = `SELECT ${selectList(columns)}, ${position} FROM ${from} WHERE ($1::text, $2::text, $3::text) IS NOT NULL AND ${where}`
    let after: unknown[] | undefined
    do {
      const beyond = after ? `AND (${names}) > (${bounds})` : ''
      const text = `${select} ${beyond} ORDER BY ${names} LIMIT ${PAGE_SIZE}`
      const { rows } = await this.pool.query<Row>(text, [id, email, emailCanonical, ...(after ?? [])])
      yield rows.map((row) => withoutKeys(row, key.length))
      const last = rows.at(-1)
      after = last && rows.length === PAGE_SIZE ? key.map((_, at) => last[`key${at}`]) : undefined
    } while (after)
  }
}

function withoutKeys(row: Row, count: number): Row {
  const keys = new Set(Array.from({ length: count }, (_, at) => `key${at}`))
  return Object.fromEntries(Object.entries(row).filter(([name]) => !keys.has(name)))
}
