import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Ceremony {
  readonly challenge: string
  readonly origin?: string
  readonly rpId?: string
}

interface AssertionOptions extends Ceremony {
  /** Whether a PIN or a fingerprint was asked for. */
  readonly isUserVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string
}

const ORIGIN = 'http://localhost:8080'
const RP_ID = 'localhost'
// WebAuthn section 6.1: user present, user verified, attested credential data.
const [UP, UV, AT] = [0x01, 0x04, 0x40]

/** An authenticator in software: ES256, attestation `none`. */
export function softwarePasskey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  let uses = 0

  function authenticatorData(rpId: string, flags: number, counter: number, attested: Uint8Array = Buffer.alloc(0)): Buffer {
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), tail, attested])
  }

  return {
    id: id.toString('base64url'),
    create({ challenge, origin = ORIGIN, rpId = RP_ID }: Ceremony) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      // RFC 9052 section 7: kty EC2, alg ES256, crv P-256, x, y.
      const key = cborMap([1, 2], [3, -7], [-1, 1], [-2, Buffer.from(x, 'base64url')], [-3, Buffer.from(y, 'base64url')])
      const data = authenticatorData(rpId, UP | UV | AT, uses, Buffer.concat([Buffer.alloc(16), length, id, key]))
      const attestationObject = cborMap(['fmt', 'none'], ['attStmt', new Map()], ['authData', data]).toString('base64url')
      const response = { clientDataJSON: clientData('webauthn.create', challenge, origin), attestationObject, transports: ['internal'] }
      return { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key', response, clientExtensionResults: {} }
    },
    get({ challenge, origin = ORIGIN, rpId = RP_ID, isUserVerified = true, counter = ++uses, userHandle }: AssertionOptions) {
      const clientDataJSON = clientData('webauthn.get', challenge, origin)
      const data = authenticatorData(rpId, UP | (isUserVerified ? UV : 0), counter)
      const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
      const signature = sign('sha256', Buffer.concat([data, hash]), privateKey).toString('base64url')
      const response = { clientDataJSON, authenticatorData: data.toString('base64url'), signature, userHandle }
      return { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key', response, clientExtensionResults: {} }
    },
  }
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
}

type Cbor = number | string | Uint8Array | Map<Cbor, Cbor>

/** The little of RFC 8949 that an authenticator writes. */
function cborMap(...entries: (readonly [Cbor, Cbor])[]): Buffer {
  return cbor(new Map(entries))
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])])
  return Buffer.concat([head(2, value.length), value])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  return length < 256 ? Buffer.from([(major << 5) | 24, length]) : Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}
