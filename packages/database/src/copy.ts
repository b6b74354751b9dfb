import type { Connection, PoolClient, Submittable } from 'pg'
import type { BinaryFields } from './binary-fields.js'

// https://www.postgresql.org/docs/current/sql-copy.html: signature, flags, no header extension; the end of the rows.
const HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TAIL = Buffer.from([0xff, 0xff])
const CHUNK_BYTES = 64 * 1024

/** Adds rows to a table: `target` is its name and columns. The buffer of `rows` must not change until this resolves. */
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

/** Missing in the types of pg's connection. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** Called by pg's client while this is its active query. */
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

  /** A client with a query timeout overwrites this; calling it clears the timeout. */
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

  /** An error of the server, which ignores the remaining data, or of the connection. */
  handleError(error: Error): void {
    this.settle()
    this.outcome.reject(error)
  }

  private settle(): void {
    this.settled = true
    this.callback()
  }
}
