import { createBase58check } from '@scure/base'
import type { ChainRules } from '../chain-rules.js'
import { sha256 } from '../hash.js'
import { InvalidDescriptor } from './invalid-descriptor.js'

/**
 * The descriptor of a wallet: the given one, or that of the addresses which an extended key of an account stands for by its first
 * letters (SLIP-132): P2PKH for xpub (BIP 44), P2SH-P2WPKH for ypub (BIP 49), P2WPKH for zpub (BIP 84), receiving and change.
 */
export function walletDescriptor(text: string, rules: ChainRules): string {
  if (text.includes('(')) return text
  const bytes = keyBytes(text)
  const version = bytes.readUInt32BE(0)
  if (version === rules.extendedKeyVersion) return `pkh(${text}/<0;1>/*)`
  const form = FORMS.find((form) => form.versions.includes(version))
  if (!form) throw new InvalidDescriptor(NO_KEY)
  if (form.isTest !== (rules.network !== 'mainnet')) throw new InvalidDescriptor('its key is of another network')
  if (form.descriptor === undefined) throw new InvalidDescriptor('its key is one of several of a multisig wallet: give the descriptor')
  bytes.writeUInt32BE(rules.extendedKeyVersion, 0)
  return form.descriptor(base58check.encode(bytes))
}

const base58check = createBase58check(sha256)
const LENGTH = 78
const LONGEST = 120
const NO_KEY = 'it is neither a descriptor nor an extended public key such as xpub, ypub or zpub'

interface Form {
  readonly versions: readonly number[]
  readonly isTest: boolean
  readonly descriptor?: (key: string) => string
}

const nested = (key: string) => `sh(wpkh(${key}/<0;1>/*))`
const native = (key: string) => `wpkh(${key}/<0;1>/*)`
const legacy = (key: string) => `pkh(${key}/<0;1>/*)`

/** SLIP-132, with Litecoin's own. */
const FORMS: readonly Form[] = [
  { versions: [0x019da462], isTest: false, descriptor: legacy },
  { versions: [0x0436f6e1], isTest: true, descriptor: legacy },
  { versions: [0x049d7cb2, 0x01b26ef6], isTest: false, descriptor: nested },
  { versions: [0x044a5262], isTest: true, descriptor: nested },
  { versions: [0x04b24746], isTest: false, descriptor: native },
  { versions: [0x045f1cf6], isTest: true, descriptor: native },
  { versions: [0x0295b43f, 0x02aa7ed3], isTest: false },
  { versions: [0x024289ef, 0x02575483], isTest: true },
]

function keyBytes(text: string): Buffer {
  if (/^[a-zA-Z]{1,2}prv/.test(text)) throw new InvalidDescriptor('it is a private key: only public ones belong here')
  try {
    if (text.length > LONGEST) throw new Error('too long')
    const bytes = Buffer.from(base58check.decode(text))
    if (bytes.length !== LENGTH) throw new Error('another length')
    return bytes
  } catch {
    throw new InvalidDescriptor(NO_KEY)
  }
}
