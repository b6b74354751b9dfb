import { z } from 'zod'
import { describeInput } from './input/description.js'
import { faultsOf, OWN_MESSAGES_ONLY } from './input/faults.js'
import { invalidInput } from './input/invalid-input.js'
import { strictSchema } from './input/strict-schema.js'

/** Parses a body that no endpoint of a contract declares, by the rules of those. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const strict = strictSchema(schema)
  const parsed = z.core.safeParse(strict, body, OWN_MESSAGES_ONLY)
  if (parsed.success) return parsed.data as T
  throw invalidInput(faultsOf(parsed.error.issues, { path: ['body'], description: describeInput(strict), value: body }))
}
