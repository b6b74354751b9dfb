import { accessSync, chmodSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '@trestle/problem/thrown'
import { commandLineOf, isAlive } from './process.js'

/** Takes the data folder for this process alone; the answer gives it back. A claim whose process is gone counts for nothing. */
export function lockDataFolder(dataDir: string): () => void {
  openFolder(dataDir)
  const file = join(dataDir, 'devnet.lock')
  const holder = holderOf(file)
  if (holder)
    throw new Error(
      `Trestle runs already with the data in ${dataDir} (process ${holder}). Stop it first, or use another folder: --data <folder>`,
    )
  rmSync(file, { force: true })
  // The command too: the number alone may be another's after a crash.
  writeFileSync(file, JSON.stringify({ pid: process.pid, command: commandLineOf(process.pid) }), { flag: 'wx', mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** For this user alone. Root's is passable, as its Postgres runs as another user; what is in it is closed by itself. */
function openFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const reason = `${dataDir} cannot be written to (${codeOf(error)})`
    throw new Error(`${reason}. Trestle keeps its data there: use another folder, --data <folder>`, { cause: error })
  }
}

function holderOf(file: string): number | undefined {
  try {
    const { pid, command }: { pid: number; command: string } = JSON.parse(readFileSync(file, 'utf8'))
    return isAlive(pid) && commandLineOf(pid) === command ? pid : undefined
  } catch {
    return undefined
  }
}
