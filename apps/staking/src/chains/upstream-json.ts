import { formatHex, parseHex } from '@trestle/ethereum/hex'
import { MAX_UINT64, parseUint64 } from '@trestle/ethereum/uint64'
import { messageOf } from '@trestle/problem/thrown'
import { z } from 'zod'
import { UpstreamRefusal, UpstreamUnavailable } from './upstream-errors.js'

export interface JsonResponse {
  readonly status: number
  readonly text: string
}

const MAX_REASON_LENGTH = 200

/** The parsed body, or an error that says what is wrong with it and who sent it. */
export function readAnswer<T>(schema: z.ZodType<T>, { status, text }: JsonResponse, name: string): T {
  if ((status >= 500 && status !== 501) || status === 429 || status === 408)
    throw new UpstreamUnavailable(`${name} failed with status ${status}: ${reasonIn(text)}`)
  if (status < 200 || status > 299) throw new UpstreamRefusal(status, `${name} refused with status ${status}: ${reasonIn(text)}`)
  return readJson(schema, text, name)
}

export function readJson<T>(schema: z.ZodType<T>, text: string, name: string): T {
  return readValue(schema, jsonOf(text), name)
}

export function readValue<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UpstreamUnavailable(`${name} sent an unusable response: ${issue?.path.join('.') || 'the body'}: ${issue?.message}`)
}

/** The message of an error of the Beacon or Keymanager API, shortened and on one line. */
export function reasonIn(text: string): string {
  const parsed = ErrorBody.safeParse(jsonOf(text))
  const reason = parsed.success ? parsed.data.message : text
  return reason.slice(0, MAX_REASON_LENGTH).replace(/\s+/g, ' ').trim() || 'no reason given'
}

// These APIs write 64-bit integers as strings.
export const Uint64 = z.string().transform(orIssue(parseUint64))

/** A slot, an epoch, an index or a count. */
export const Count = Uint64.refine((value) => value <= Number.MAX_SAFE_INTEGER, 'is too large').transform(Number)

/** FAR_FUTURE_EPOCH means none. */
export const Epoch = Uint64.transform((value) => (value === MAX_UINT64 ? undefined : value))
  .refine((value) => value === undefined || value <= Number.MAX_SAFE_INTEGER, 'is too large')
  .transform((value) => (value === undefined ? undefined : Number(value)))

/** Negative rewards are penalties. */
export const SignedGwei = z.string().transform(orIssue((text) => (text.startsWith('-') ? -parseUint64(text.slice(1)) : parseUint64(text))))

export function Bytes(length: number) {
  return z.string().transform(orIssue((text) => parseHex(text, length)))
}

/** A number as the execution layer's JSON-RPC writes it. */
export const Quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, 'is not a number')
  .transform(BigInt)

export const QuantityNumber = Quantity.refine((value) => value <= Number.MAX_SAFE_INTEGER, 'is too large').transform(Number)

export function validatorIdOf(id: string | number | Buffer): string {
  return Buffer.isBuffer(id) ? formatHex(id) : String(id)
}

const ErrorBody = z.object({ message: z.string() })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function orIssue<T>(parse: (text: string) => T) {
  return (text: string, context: z.RefinementCtx): T => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue(messageOf(error))
      return z.NEVER
    }
  }
}
