// npm run nats:identities [-- file]: writes a key for each identity of the NATS configuration into .env, or another file, unless it has one.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { root } from './progress.mjs'

const CONFIGURATION = 'deploy/kubernetes/components/nats/nats.conf'
const { nkeys } = createRequire(join(root, 'packages/messaging/package.json'))('@nats-io/transport-node')

const file = resolve(process.argv[2] ?? join(root, '.env'))
let text = existsSync(file) ? readFileSync(file, 'utf8') : ''
const names = [...readFileSync(join(root, CONFIGURATION), 'utf8').matchAll(/nkey: \$(\w+)/g)].map(([, name]) => name)
const missing = names.filter((name) => !readValue(`${name}_SEED`))
for (const name of names) {
  const key = nkeyOf(name)
  set(`${name}_SEED`, new TextDecoder().decode(key.getSeed()))
  set(name, key.getPublicKey())
}
// Nobody finds half of it, and only this user finds it at all.
writeFileSync(`${file}.new`, text, { mode: 0o600 })
renameSync(`${file}.new`, file)
console.log(missing.length > 0 ? `${file} has new keys: ${missing.join(', ')}` : `${file} has every key already.`)

function nkeyOf(name) {
  const seed = readValue(`${name}_SEED`)
  return seed ? nkeys.fromSeed(new TextEncoder().encode(seed)) : nkeys.createUser()
}

function readValue(name) {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]
}

function set(name, value) {
  const line = `${name}=${value}`
  if (readValue(name) !== undefined) text = text.replace(new RegExp(`^${name}=.*$`, 'm'), line)
  else text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`
}
