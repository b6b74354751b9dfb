import { Problem } from '@trestle/problem/problem'

/** Where a page ended in a list by time, newest first; the id parts those of one millisecond. */
export interface Position {
  readonly createdAt: Date
  readonly id: string
}

const FORM = /^(0|[1-9]\d{0,12})\.([a-z]+)(-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url')
}

/** The position of a cursor among things whose ids begin so; Problem `InvalidCursor` for what `encodeCursor` did not make of one of them. */
export function decodeCursor(cursor: string, prefix: string): Position {
  const bytes = Buffer.from(cursor, 'base64url')
  const [, time, kind, uuid] = FORM.exec(bytes.toString('latin1')) ?? []
  // Node decodes base64 of any shape; only the one shape that encodes back to itself is ours.
  if (kind !== prefix || bytes.toString('base64url') !== cursor) throw invalidCursor()
  return { createdAt: new Date(Number(time)), id: `${kind}${uuid}` }
}

function invalidCursor(): Problem {
  return new Problem('invalid', 'InvalidCursor', 'The cursor is not one of an earlier answer.')
}
