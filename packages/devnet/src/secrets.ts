import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from './write-atomically.js'

/** The random secrets of this installation: made at the first asking, the same ever after. */
export class Secrets {
  private readonly file: string
  private readonly known: Record<string, string>

  constructor(dataDir: string) {
    this.file = join(dataDir, 'secrets.json')
    this.known = existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : {}
  }

  /** 32 random bytes in base64, unless made in another way. */
  get(name: string, make: () => string = () => randomBytes(32).toString('base64')): string {
    const known = this.known[name]
    if (known) return known
    const made = make()
    this.known[name] = made
    writeAtomically(this.file, this.known)
    return made
  }
}

/** The public half of an Ed25519 key of 32 bytes in base64, behind what RFC 8410 section 7 puts in front of them. */
export function publicHalf(secret: string): string {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(secret, 'base64')])
  const { x = '' } = createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}
