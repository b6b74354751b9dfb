const MAX_LENGTH = 300

/** What went wrong, for operators: the cause of an error that was worded for callers. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return (cause instanceof Error ? cause.message : message).slice(0, MAX_LENGTH)
}
