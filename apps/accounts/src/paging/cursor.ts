import { Problem } from '@trestle/problem/problem'

/** Where a page of a list ended, newest first; the id orders those of one millisecond. */
export interface Position {
  readonly createdAt: Date
  readonly id: string
}

const FORMAT = /^(0|[1-9]\d{0,12})\.([a-z]+)(-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url')
}

/** The position that a cursor encodes, in a list of ids with this prefix; Problem `InvalidCursor` for anything else. */
export function decodeCursor(cursor: string, prefix: string): Position {
  const bytes = Buffer.from(cursor, 'base64url')
  const [, time, kind, uuid] = FORMAT.exec(bytes.toString('latin1')) ?? []
  // Node decodes malformed base64 too; only what encodes back to itself is ours.
  if (kind !== prefix || bytes.toString('base64url') !== cursor) throw invalidCursor()
  return { createdAt: new Date(Number(time)), id: `${kind}${uuid}` }
}

function invalidCursor(): Problem {
  return new Problem('invalid', 'InvalidCursor', 'The cursor does not come from an earlier response.')
}
