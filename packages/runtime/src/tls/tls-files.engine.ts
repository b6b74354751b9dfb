import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Logger } from '../logger.js'

/** A variable that names a file of PEM, and the path it has. */
interface TlsFile {
  readonly variable: string
  readonly path: string | undefined
}

interface TlsFileSet {
  readonly cert: TlsFile
  readonly key: TlsFile
  /** The authorities that the other side's certificate is verified by. */
  readonly ca: TlsFile
}

/** The contents of the files. */
interface TlsMaterial {
  readonly cert?: string
  readonly key?: string
  readonly ca?: string
}

const CHECK_MS = 2_000

/**
 * Certificate, key and authorities in files, which may be replaced while the process runs, as cert-manager does before a certificate
 * expires. Files that do not fit together yet change nothing: they are read again.
 */
export class TlsFiles {
  private current: TlsMaterial
  private readonly timer: NodeJS.Timeout
  private readonly listeners: (() => void)[] = []
  private lastError?: string

  constructor(
    private readonly files: TlsFileSet,
    private readonly logger: Logger,
  ) {
    this.current = checked(files, readNow(files))
    this.reportExpired()
    this.timer = setInterval(() => void this.check(), CHECK_MS).unref()
  }

  get material(): TlsMaterial {
    return this.current
  }

  /** When its own certificate expires, in seconds since 1970; undefined without one. */
  get expiresAt(): number | undefined {
    return this.current.cert === undefined ? undefined : Date.parse(new X509Certificate(this.current.cert).validTo) / 1000
  }

  onRenewal(listener: () => void): void {
    this.listeners.push(listener)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private async check(): Promise<void> {
    try {
      const read = await readLater(this.files)
      const { cert, key, ca } = this.current
      if (read.cert === cert && read.key === key && read.ca === ca) return
      this.current = checked(this.files, read)
      this.lastError = undefined
      this.logger.info('the TLS files were renewed')
      this.reportExpired()
      for (const listener of this.listeners) listener()
    } catch (error) {
      const message = String(error)
      if (message !== this.lastError) this.logger.warn({ err: error }, 'the renewed TLS files cannot be used; the former ones stay in use')
      this.lastError = message
    }
  }

  private reportExpired(): void {
    const { expiresAt, files } = this
    if (expiresAt === undefined || expiresAt * 1000 > Date.now()) return
    this.logger.error({ expiredAt: new Date(expiresAt * 1000) }, `${files.cert.variable} names a certificate that has expired`)
  }
}

function readNow({ cert, key, ca }: TlsFileSet): TlsMaterial {
  const read = (file: TlsFile) => {
    try {
      return file.path === undefined ? undefined : readFileSync(file.path, 'utf8')
    } catch (error) {
      throw new Error(`${file.variable}: the file cannot be read`, { cause: error })
    }
  }
  return { cert: read(cert), key: read(key), ca: read(ca) }
}

async function readLater(files: TlsFileSet): Promise<TlsMaterial> {
  const read = async ({ path }: TlsFile) => (path === undefined ? undefined : readFile(path, 'utf8'))
  const [cert, key, ca] = await Promise.all([files.cert, files.key, files.ca].map(read))
  return { cert, key, ca }
}

function checked({ cert, key, ca }: TlsFileSet, material: TlsMaterial): TlsMaterial {
  if ((material.cert === undefined) !== (material.key === undefined))
    throw new Error(`${cert.variable} and ${key.variable} belong together: set both or neither`)
  requireCertificate(cert, material.cert)
  requireCertificate(ca, material.ca)
  try {
    createSecureContext(material)
  } catch (error) {
    throw new Error(`${key.variable} has no key that fits ${cert.variable}`, { cause: error })
  }
  return material
}

/** Node ignores authorities that are not PEM. */
function requireCertificate({ variable }: TlsFile, pem: string | undefined): void {
  try {
    if (pem !== undefined) new X509Certificate(pem)
  } catch (error) {
    throw new Error(`${variable}: the file has no certificate in PEM`, { cause: error })
  }
}
