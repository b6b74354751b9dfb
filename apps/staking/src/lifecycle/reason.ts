const MAX_LENGTH = 300

/** What went wrong, for people: where an error was made fit for callers, what it was before. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return (cause instanceof Error ? cause.message : message).slice(0, MAX_LENGTH)
}
