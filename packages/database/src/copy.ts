import type { Connection, PoolClient, Submittable } from 'pg'
import type { BinaryFields } from './binary-fields.js'

// https://www.postgresql.org/docs/current/sql-copy.html: signature, flags, no header extension; and no more rows.
const HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TAIL = Buffer.from([0xff, 0xff])
const CHUNK_BYTES = 64 * 1024

/** Adds rows to a table: `target` is its name and columns, `rows` are `row`s of that many fields, which may change only afterwards. */
export function copyIn(client: PoolClient, target: string, rows: BinaryFields): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.query(new CopyIn(`COPY ${target} FROM STDIN (FORMAT binary)`, chunksOf(rows.contents()), { resolve, reject }))
  return promise
}

function* chunksOf(rows: Buffer): Generator<Buffer> {
  yield HEAD
  for (let start = 0; start < rows.length; start += CHUNK_BYTES) yield rows.subarray(start, start + CHUNK_BYTES)
  yield TAIL
}

/** What the types of pg's connection leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** What pg's client calls while this is its active query. */
class CopyIn implements Submittable {
  private settled = false

  constructor(
    private readonly text: string,
    private readonly chunks: Iterator<Buffer>,
    private readonly outcome: { resolve(): void; reject(error: Error): void },
  ) {}

  submit(connection: Connection): void {
    connection.query(this.text)
  }

  /** Overwritten by a client that has a query timeout; to call it is to end the timeout. */
  callback(): void {}

  handleCopyInResponse(connection: CopyConnection): void {
    let next = this.chunks.next()
    while (!next.done && !this.settled) {
      connection.sendCopyFromChunk(next.value)
      if (connection.stream.writableNeedDrain) {
        connection.stream.once('drain', () => this.handleCopyInResponse(connection))
        return
      }
      next = this.chunks.next()
    }
    if (!this.settled) connection.endCopyFrom()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.settle()
    this.outcome.resolve()
  }

  /** Of the server, which ignores what still comes, or of the connection. */
  handleError(error: Error): void {
    this.settle()
    this.outcome.reject(error)
  }

  private settle(): void {
    this.settled = true
    this.callback()
  }
}
