import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

export interface PageFile {
  readonly type: string
  readonly etag: string
  /** Its name changes with its content, so browsers may keep it. */
  readonly immutable: boolean
  readonly bodies: Readonly<Record<'identity' | 'br' | 'gzip', Buffer>>
}

/** The page's files by their paths, read and compressed once: a few megabytes. */
export async function readFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const files = names.map(async (name) => [`/${name.split(sep).join('/')}`, await readPageFile(join(folder, name), name)] as const)
  return new Map(await Promise.all(files))
}

async function readPageFile(path: string, name: string): Promise<PageFile> {
  const identity = await readFile(path)
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(identity, { level: 9 }),
  ])
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    immutable: name.startsWith(`assets${sep}`),
    bodies: { identity, br, gzip: zipped },
  }
}
