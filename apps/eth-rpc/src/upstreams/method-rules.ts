import { matchesPattern } from '../projects/method-pattern.js'
import type { MethodRules } from './upstream-config.js'

/** Whether an upstream with these rules is asked for that method; refusals outweigh. */
export function isServedBy({ allowed, refused = [] }: MethodRules, method: string): boolean {
  const fits = (pattern: string) => matchesPattern(pattern, method)
  return (allowed === undefined || allowed.some(fits)) && !refused.some(fits)
}
