import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLineOf, isAlive } from './process.js'

/** Takes the data folder for this process alone; the answer gives it back. A claim whose process is gone counts for nothing. */
export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  // Passable, for root's Postgres runs as another user; what is in it is closed by itself.
  chmodSync(dataDir, 0o711)
  const file = join(dataDir, 'devnet.lock')
  const holder = holderOf(file)
  if (holder)
    throw new Error(
      `Trestle runs already with the data in ${dataDir} (process ${holder}). Stop it first, or use another folder: --data <folder>`,
    )
  rmSync(file, { force: true })
  // The command too: the number alone may be another's after a crash.
  writeFileSync(file, JSON.stringify({ pid: process.pid, command: commandLineOf(process.pid) }), { flag: 'wx' })
  return () => rmSync(file, { force: true })
}

function holderOf(file: string): number | undefined {
  try {
    const { pid, command }: { pid: number; command: string } = JSON.parse(readFileSync(file, 'utf8'))
    return isAlive(pid) && commandLineOf(pid) === command ? pid : undefined
  } catch {
    return undefined
  }
}
