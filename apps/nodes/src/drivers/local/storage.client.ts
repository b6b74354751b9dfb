import { copyFile, open, readdir, rename, stat, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { lastLines } from '../../software/log-lines.js'

const LARGEST_LOG = 10 * 2 ** 20
const LARGEST_ANSWER = 2 ** 20
const SIZE_LIVES_MS = 30_000

/** How much folders hold, and their logs. */
export class Storage {
  private readonly sizes = new Map<string, { readonly at: number; readonly bytes: number }>()

  /** What a folder takes up; it may have been looked at half a minute ago. */
  async bytesIn(folder: string, now: number): Promise<number> {
    const known = this.sizes.get(folder)
    if (known && now - known.at < SIZE_LIVES_MS && now >= known.at) return known.bytes
    const bytes = await sizeOf(folder)
    this.sizes.set(folder, { at: now, bytes })
    return bytes
  }

  async freeBytes(folder: string): Promise<number> {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  }

  forget(folder: string): void {
    this.sizes.delete(folder)
  }

  /** A log that has become too long begins again; what was in it is kept until the next time. Its writer, who appends, goes on. */
  async boundLog(log: string): Promise<void> {
    const { size } = await stat(log).catch(() => ({ size: 0 }))
    if (size <= LARGEST_LOG) return
    await copyFile(log, `${log}.old`)
    await truncate(log)
  }

  async logLines(log: string, count: number): Promise<string[]> {
    const lines = lastLines(await endOf(log), count)
    if (lines.length >= count) return lines
    return [...lastLines(await endOf(`${log}.old`), count - lines.length), ...lines]
  }

  /** What is only half of a file of JSON is put aside. */
  async putAsideHalf(file: string): Promise<void> {
    const end = (await endOf(file)).trimEnd()
    if (end !== '' && !end.endsWith('}')) await rename(file, `${file}.broken`)
  }
}

async function endOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined)
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, LARGEST_ANSWER)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    const text = buffer.toString('utf8', 0, bytesRead)
    // Not the half of a line that it begins with.
    return length < size ? text.slice(text.indexOf('\n') + 1) : text
  } finally {
    await handle.close()
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    // Its program removes files meanwhile.
    const found = entry.isFile() ? await stat(join(entry.parentPath, entry.name)).catch(() => undefined) : undefined
    bytes += (found?.blocks ?? 0) * 512
  }
  return bytes
}
