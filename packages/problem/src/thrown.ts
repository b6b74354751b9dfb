// Anything can be thrown, and not every library's errors are instances of this realm's Error: these go by the members.

export function messageOf(error: unknown): string {
  return textMember(error, 'message') ?? String(error)
}

/** The code of Node's own errors and of most libraries': `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return textMember(error, 'code')
}

export function textMember(error: unknown, name: string): string | undefined {
  const value: unknown = Object(error)[name]
  return typeof value === 'string' ? value : undefined
}
