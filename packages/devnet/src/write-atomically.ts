import { renameSync, writeFileSync } from 'node:fs'

/** Writes JSON so that a reader finds all of it or none, and only this user finds it at all. */
export function writeAtomically(file: string, content: unknown): void {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(unfinished, file)
}
