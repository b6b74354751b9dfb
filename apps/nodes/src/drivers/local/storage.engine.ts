import { copyFile, open, readdir, rename, stat, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { lastLines } from '../../software/log-lines.js'

const MAX_LOG_BYTES = 10 * 2 ** 20
const MAX_READ_BYTES = 2 ** 20
const SIZE_TTL_MS = 30_000

/** The sizes of folders, and log files. */
export class Storage {
  private readonly sizes = new Map<string, { readonly at: number; readonly bytes: number }>()

  /** The size of a folder on disk, at most half a minute old. */
  async bytesIn(folder: string, now: number): Promise<number> {
    const known = this.sizes.get(folder)
    if (known && now - known.at < SIZE_TTL_MS && now >= known.at) return known.bytes
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

  /** Rotates a log that has become too large, by copying and truncating: its writer keeps appending. */
  async rotateLog(log: string): Promise<void> {
    const { size } = await stat(log).catch(() => ({ size: 0 }))
    if (size <= MAX_LOG_BYTES) return
    await copyFile(log, `${log}.old`)
    await truncate(log)
  }

  async logLines(log: string, count: number): Promise<string[]> {
    const lines = lastLines(await endOf(log), count)
    if (lines.length >= count) return lines
    return [...lastLines(await endOf(`${log}.old`), count - lines.length), ...lines]
  }

  /** Renames a JSON file that was written only in part. */
  async setAsideIfTruncated(file: string): Promise<void> {
    const end = (await endOf(file)).trimEnd()
    if (end !== '' && !end.endsWith('}')) await rename(file, `${file}.broken`)
  }
}

async function endOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined)
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, MAX_READ_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    const text = buffer.toString('utf8', 0, bytesRead)
    // Drops the partial first line.
    return length < size ? text.slice(text.indexOf('\n') + 1) : text
  } finally {
    await handle.close()
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    // The program may remove files meanwhile.
    const found = entry.isFile() ? await stat(join(entry.parentPath, entry.name)).catch(() => undefined) : undefined
    bytes += (found?.blocks ?? 0) * 512
  }
  return bytes
}
