import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

// RFC 8410 section 7: the bytes in front of an Ed25519 private key in PKCS#8.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export const ROOT_KEY_BYTES = 32

/** The private half of a trust root: an Ed25519 key (RFC 8032), 32 bytes in base64. */
export class RootKey {
  /** The public half, as `TRUST_ROOTS` lists it. */
  readonly root: string
  readonly #key: KeyObject

  constructor(seed: string) {
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, Buffer.from(seed, 'base64')]), format: 'der', type: 'pkcs8' })
    const { x = '' } = createPublicKey(this.#key).export({ format: 'jwk' })
    this.root = Buffer.from(x, 'base64url').toString('base64')
  }

  sign(data: Uint8Array): string {
    return sign(null, data, this.#key).toString('base64url')
  }
}

/** The public halves that a service is configured with; several while the root is rotated. */
export class TrustRoots {
  readonly #keys: readonly KeyObject[]

  constructor(roots: readonly string[]) {
    this.#keys = roots.map((root) => {
      const x = Buffer.from(root, 'base64').toString('base64url')
      return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    })
  }

  verify(data: Uint8Array, signature: string): boolean {
    return this.#keys.some((key) => verify(null, data, key, Buffer.from(signature, 'base64url')))
  }
}
