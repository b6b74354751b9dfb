import { messageOf } from '@trestle/problem/thrown'

const MAX_LENGTH = 300

/** What went wrong, for operators: the cause of an error that was worded for callers. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return messageOf(cause ?? error).slice(0, MAX_LENGTH)
}
