import { z } from 'zod'

/** A method, or a prefix with `*`. */
export const MethodPattern = z
  .string()
  .max(64)
  .regex(/^(?:[a-z][a-z0-9]*_[A-Za-z0-9_]*\*?|rpc\.discover)$/, 'must be a method such as eth_call, or a prefix such as eth_get*')
