import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { UpstreamConfig, UpstreamsContext } from './upstream-config.js'
import { parseUpstreamsFile } from './upstreams-file.js'

/** The file, and those that it refers to. */
export class UpstreamsSource {
  /** What was read at the last time, by path; undefined for what could not be. */
  private seen = new Map<string, string | undefined>()

  constructor(
    private readonly path: string,
    /** Where `env:NAME` is looked up. */
    private readonly env: Readonly<Record<string, string | undefined>>,
    private readonly context: UpstreamsContext,
  ) {}

  /** Whether any of the files has another content than at the last reading; by content, as mounted files are symbolic links that change their target. */
  get hasChanged(): boolean {
    return [...this.seen].some(([path, content]) => contentOf(path) !== content)
  }

  /** Throws what is wrong, without any value. */
  read(): UpstreamConfig[] {
    this.seen = new Map()
    const readFile = (path: string): string => {
      const content = contentOf(path)
      this.seen.set(path, content)
      if (content === undefined) throw new Error('cannot be read')
      return content
    }
    const upstreams = parseUpstreamsFile(readFile(this.path), { env: this.env, readFile, ...this.context })
    for (const upstream of upstreams) checkTls(upstream)
    return upstreams
  }
}

function checkTls({ name, tls }: UpstreamConfig): void {
  try {
    if (tls) createSecureContext(tls)
  } catch {
    throw new Error(`upstream "${name}": tls must name files of PEM: a certificate with its key, and certificates of authorities`)
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
