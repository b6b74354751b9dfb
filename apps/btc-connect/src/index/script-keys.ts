import { hash } from 'node:crypto'
import { ownerScriptOf } from '@trestle/bitcoin/script'

const SECRET_LENGTH = 16
const KEY_LENGTH = 16
const LONGEST_SCRIPT = 10_000

/** How the script of an owner becomes its key in this index: 16 bytes that nobody can foresee who does not know the secret. */
export function scriptKeys(secret: Buffer): (ownerScript: Buffer) => Buffer {
  const scratch = Buffer.alloc(SECRET_LENGTH + LONGEST_SCRIPT)
  secret.copy(scratch)
  return (script) => {
    script.copy(scratch, SECRET_LENGTH)
    // A string, for the memory of another Buffer takes longer to get than the hash.
    const digest = hash('sha256', scratch.subarray(0, SECRET_LENGTH + script.length), 'binary')
    return Buffer.from(digest.slice(0, KEY_LENGTH), 'binary')
  }
}

/** The key of whom any script belongs to, as Postgres writes it. */
export function scriptUuids(secret: Buffer): (script: Buffer) => string {
  const keyOf = scriptKeys(secret)
  return (script) => uuidOf(keyOf(ownerScriptOf(script)))
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
