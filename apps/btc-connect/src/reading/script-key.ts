import { ownerScriptOf } from '@trestle/bitcoin/script'
import { scriptKeys } from '../index/script-keys.js'

/** The keys of this index as Postgres writes them, each of whom a script belongs to. */
export function keysOf(secret: Buffer): (script: Buffer) => string {
  const keyOf = scriptKeys(secret)
  return (script) => uuidOf(keyOf(ownerScriptOf(script)))
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
