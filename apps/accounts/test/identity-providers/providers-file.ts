import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes a `providers.yaml` into a folder; returns its path. */
export function providersFile(folder: string, text: string): string {
  const path = join(folder, `${randomUUID()}.yaml`)
  writeFileSync(path, text)
  return path
}
