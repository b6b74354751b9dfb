import { createDecipheriv, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Client } from 'pg'

// What somebody can do with a dump of the database, and with keys.

// FIPS 186-5: the order of P-256. Of the two signatures of a token only the one with the lower s is valid.
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
// Where the services store what they have sealed, and to what a value is bound besides its key.
const SEALED = [
  ['accounts', 'SELECT kid AS id, private_sealed AS sealed, NULL AS owner FROM accounts.signing_key'],
  ['staking', "SELECT encode(pubkey, 'hex') AS id, sealed_password AS sealed, pubkey AS owner FROM staking.validator_key"],
  ['nodes', "SELECT id, sealed_password AS sealed, convert_to(id, 'UTF8') AS owner FROM nodes.workload"],
  ['nodes', "SELECT id, sealed_password AS sealed, convert_to(id, 'UTF8') AS owner FROM nodes.workload_machine"],
] as const

export type Sealing = (typeof SEALED)[number][0]

/** What somebody with these keys reads in a dump of the database. */
export async function openedWith(db: Client, keys: Record<Sealing, string>): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const [service, sql] of SEALED)
    for (const { id, sealed, owner } of (await db.query(sql)).rows) {
      const text = unseal(keys[service], sealed, owner)
      if (text !== undefined) texts.set(`${service} ${id}`, text)
    }
  return texts
}

/** A nonce, a ciphertext and a tag; for an owner, behind the id of the key, which is authenticated with the owner. */
function unseal(key: string, sealed: Buffer, owner: Buffer | null): string | undefined {
  const id = sealed.subarray(0, owner ? 8 : 0)
  const text = sealed.subarray(id.length)
  const cipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), text.subarray(0, 12))
  cipher.setAAD(Buffer.concat([id, owner ?? Buffer.alloc(0)])).setAuthTag(text.subarray(-16))
  try {
    return Buffer.concat([cipher.update(text.subarray(12, -16)), cipher.final()]).toString()
  } catch {
    return undefined
  }
}

/** A private signing key. */
export async function stolenKey(db: Client, kid: string, encryptionKey: string): Promise<KeyObject> {
  const { rows } = await db.query('SELECT private_sealed FROM accounts.signing_key WHERE kid = $1', [kid])
  return createPrivateKey(unseal(encryptionKey, rows[0].private_sealed, null) ?? '')
}

export function parts(jwt: string) {
  const [header, payload] = jwt.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  return [JSON.parse(header ?? ''), JSON.parse(payload ?? '')]
}

export function token(header: object, payload: object, key: KeyObject): string {
  const input = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  for (;;) {
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    if (BigInt(`0x${signature.subarray(32).toString('hex')}`) <= ORDER / 2n) return `${input}.${signature.toString('base64url')}`
  }
}
