/** Where the values of references are found. */
export interface ReferenceSource {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The content of a file; throws where it cannot be read. */
  readFile(path: string): string
}

const REFERENCE = /^(env|file):(.+)$/s

/** A value as it is, or what `env:NAME` or `file:/path` stands for. Throws what would be right, without the value. */
export function resolveReference(value: string, { env, readFile }: ReferenceSource): string {
  const [, kind, target = ''] = REFERENCE.exec(value) ?? []
  if (kind === undefined) return value
  const found = kind === 'env' ? env[target] : contentOf(target, readFile)
  if (!found)
    throw new Error(kind === 'env' ? `refers to ${target}, which is not set in the environment` : `refers to ${target}, which is empty`)
  return found
}

/** The content of a file, without white space around. */
export function contentOf(path: string, readFile: ReferenceSource['readFile']): string {
  try {
    return readFile(path).trim()
  } catch {
    throw new Error(`refers to ${path}, which cannot be read`)
  }
}
