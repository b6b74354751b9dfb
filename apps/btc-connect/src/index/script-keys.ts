import { hash } from 'node:crypto'
import { ownerScriptOf } from '@trestle/bitcoin/script'

const SECRET_LENGTH = 16
const KEY_LENGTH = 16
const MAX_SCRIPT_BYTES = 10_000

/** Maps owner scripts to their keys in this index: 16 bytes that are unpredictable without the secret. */
export function scriptKeys(secret: Buffer): (ownerScript: Buffer) => Buffer {
  const scratch = Buffer.alloc(SECRET_LENGTH + MAX_SCRIPT_BYTES)
  secret.copy(scratch)
  return (script) => {
    script.copy(scratch, SECRET_LENGTH)
    // As a string: allocating another Buffer would take longer than the hash.
    const digest = hash('sha256', scratch.subarray(0, SECRET_LENGTH + script.length), 'binary')
    return Buffer.from(digest.slice(0, KEY_LENGTH), 'binary')
  }
}

/** The keys of the owners of any scripts, as Postgres writes UUIDs. */
export function scriptUuids(secret: Buffer): (script: Buffer) => string {
  const keyOf = scriptKeys(secret)
  return (script) => uuidOf(keyOf(ownerScriptOf(script)))
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
