import { z } from 'zod'

// Wire forms that more than one area uses. Times are ISO 8601 UTC with milliseconds, amounts are digits.

export const Timestamp = z.iso.datetime({ precision: 3 })

/** A time that a client sends: of any precision and offset (RFC 3339), parsed to the form of Timestamp. */
export const TimeInput = z.iso
  .datetime({ offset: true })
  .transform((time) => new Date(time).toISOString())
  // Not a year of five digits, into which an offset may lead.
  .pipe(Timestamp)

/** The start or end of a range in a query: a time, or a day. */
export const RangeEnd = z.iso.datetime({ offset: true }).or(z.iso.date())

export const Digits = z.string().regex(/^-?\d+$/)

/** An id of the form `<prefix>-<uuid>`, lower case. */
export function idOf<P extends string>(prefix: P) {
  return z.string().regex(new RegExp(`^${prefix}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`), `must look like ${prefix}-<uuid>`)
}

/** A whole number in a query string: ASCII digits only, without sign, exponent or space. */
export function queryInteger(min: number, max: number) {
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** The end of a page; opaque to the caller. */
export const Cursor = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be a cursor from an earlier response')

/** Requests with the same key are executed once. */
export const Idempotent = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional(),
})
