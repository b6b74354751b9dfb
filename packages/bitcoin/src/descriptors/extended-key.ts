import { createHmac } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { InvalidDescriptor } from './invalid-descriptor.js'

const { Point } = secp256k1
type CurvePoint = InstanceType<typeof Point>

const LAST_CHILD = 0x7fffffff
// A private key was refused before it comes to this.
const NO_PRIVATE_KEY = 0

/** An extended public key (BIP 32). */
export class ExtendedKey {
  private constructor(
    private readonly point: CurvePoint,
    readonly publicKey: Buffer,
    private readonly chainCode: Uint8Array,
  ) {}

  /** `version` is the first four bytes of those of its network. */
  static of(text: string, version: number): ExtendedKey {
    try {
      const { publicKey, chainCode } = HDKey.fromExtendedKey(text, { public: version, private: NO_PRIVATE_KEY })
      if (!publicKey || !chainCode) throw new Error('no public key')
      return new ExtendedKey(Point.fromBytes(publicKey), Buffer.from(publicKey), chainCode)
    } catch {
      throw new InvalidDescriptor('its key is neither one in hex nor an extended public key (xpub, of a test network tpub) of this network')
    }
  }

  /** The point is kept beside the key, for it takes longer to find than all else here: a wallet has thousands of children. */
  child(index: number): ExtendedKey {
    if (index > LAST_CHILD) throw new InvalidDescriptor(`there is no child ${index}`)
    const number = Buffer.alloc(4)
    number.writeUInt32BE(index)
    const digest = createHmac('sha512', this.chainCode).update(this.publicKey).update(number).digest()
    // One in 2^127 is no number of the curve; BIP 32 has no key there, and none of the functions below.
    const point = Point.BASE.multiplyUnsafe(BigInt(`0x${digest.toString('hex', 0, 32)}`)).add(this.point)
    return new ExtendedKey(point, Buffer.from(point.toBytes()), digest.subarray(32))
  }
}
