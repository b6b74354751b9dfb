import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface CertificateOptions {
  /** Host names and IPv4 addresses. */
  readonly names?: readonly string[]
  readonly purpose?: 'server' | 'client'
  readonly validFrom?: Date
  readonly validTo?: Date
}

interface Certificate {
  readonly cert: string
  readonly key: string
}

const DAY_MS = 86_400_000
// X.690 tags.
const [INTEGER, BITS, OCTETS, OID, UTF8, SEQUENCE, SET, GENERALIZED_TIME] = [0x02, 0x03, 0x04, 0x06, 0x0c, 0x30, 0x31, 0x18] as const
const TRUE = Buffer.from([0x01, 0x01, 0xff])
const OIDS = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  extendedKeyUsage: '551d25',
  server: '2b06010505070301',
  client: '2b06010505070302',
}

/** An authority that signs certificates for tests (RFC 5280), also expired ones. */
export class TestAuthority {
  private readonly key = newKey()
  /** Its own certificate. */
  readonly cert: string

  constructor(private readonly name = 'Test CA') {
    const isAuthority = extension(OIDS.basicConstraints, der(SEQUENCE, TRUE), true)
    this.cert = this.signed({ subject: name, publicKey: this.key, extensions: [isAuthority] })
  }

  issue({ names = [], purpose = 'server', ...validity }: CertificateOptions = {}): Certificate {
    const key = newKey()
    const altNames = extension(OIDS.subjectAltName, der(SEQUENCE, ...names.map(generalName)))
    const usage = extension(OIDS.extendedKeyUsage, der(SEQUENCE, oid(OIDS[purpose])))
    const cert = this.signed({ subject: names[0] ?? 'a client', publicKey: key, extensions: [altNames, usage], ...validity })
    return { cert, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() }
  }

  private signed({ subject, publicKey, extensions, validFrom, validTo }: Unsigned): string {
    const algorithm = der(SEQUENCE, oid(OIDS.ecdsaWithSha256))
    const validity = der(SEQUENCE, time(validFrom ?? new Date(Date.now() - DAY_MS)), time(validTo ?? new Date(Date.now() + DAY_MS)))
    const spki = createPublicDer(publicKey)
    const body = der(
      SEQUENCE,
      der(0xa0, der(INTEGER, Buffer.from([2]))),
      der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      algorithm,
      distinguishedName(this.name),
      validity,
      distinguishedName(subject),
      spki,
      der(0xa3, der(SEQUENCE, ...extensions)),
    )
    const signature = der(BITS, Buffer.from([0]), sign('sha256', body, this.key))
    return pem(der(SEQUENCE, body, algorithm, signature))
  }
}

interface Unsigned extends Pick<CertificateOptions, 'validFrom' | 'validTo'> {
  readonly subject: string
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
}

/** Writes PEM into a folder of its own, each file at once, as mounted Secrets change. */
export class PemFolder {
  private readonly path = mkdtempSync(join(tmpdir(), 'trestle-tls-'))

  write(name: string, pem: string): string {
    const file = join(this.path, name)
    writeFileSync(`${file}.new`, pem)
    renameSync(`${file}.new`, file)
    return file
  }

  /** The variables of a server with this certificate. */
  serverEnv({ cert, key }: Certificate, clientAuthority?: TestAuthority) {
    return {
      TLS_CERT_FILE: this.write('tls.crt', cert),
      TLS_KEY_FILE: this.write('tls.key', key),
      ...(clientAuthority && { TLS_CLIENT_CA_FILE: this.write('clients.crt', clientAuthority.cert) }),
    }
  }
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

function createPublicDer(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' })
}

function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

function oid(hex: string): Buffer {
  return der(OID, Buffer.from(hex, 'hex'))
}

function distinguishedName(name: string): Buffer {
  return der(SEQUENCE, der(SET, der(SEQUENCE, oid(OIDS.commonName), der(UTF8, Buffer.from(name)))))
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return der(SEQUENCE, oid(id), ...(isCritical ? [TRUE] : []), der(OCTETS, value))
}

function generalName(name: string): Buffer {
  return /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))
}

function time(date: Date): Buffer {
  return der(GENERALIZED_TIME, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
