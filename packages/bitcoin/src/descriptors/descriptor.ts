import { InvalidAddress, scriptOfAddress } from '../address.js'
import type { ChainRules } from '../chain-rules.js'
import { hash160, sha256 } from '../hash.js'
import { isUnspendable, payToPublicKeyHash, payToScriptHash, payToWitness } from '../script.js'
import { descriptorChecksum } from './checksum.js'
import { argumentOf, type Expression, expressionOf, splitList } from './expression.js'
import { InvalidDescriptor } from './invalid-descriptor.js'
import { type KeyExpression, keyExpressionOf, type ScriptPosition, xOnlyKeyOf } from './key-expression.js'
import { multisig, multisigByAddition, payToPublicKey } from './key-scripts.js'
import { branchHash, leafHash, outputKey } from './taproot.js'

/** What a text describes (BIP 380). */
export interface Descriptor {
  /** The paths of `<0;1>` (BIP 389), such as receiving addresses and change; 1 where it has none. */
  readonly branches: number
  /** Whether it describes a script for each index. */
  readonly isRanged: boolean
  scriptAt(place: ScriptPosition): Buffer
}

/** `addr`, `raw`, `pk`, `pkh`, `wpkh`, `multi`, `sortedmulti`, `sh`, `wsh` and `tr` with its tree, of public keys. No Miniscript. */
export function descriptorOf(text: string, rules: ChainRules): Descriptor {
  const keys: KeyExpression[] = []
  const scriptAt = new Reader(rules, keys).top(expressionOf(withoutChecksum(text)))
  const branches = Math.max(1, ...keys.map(({ branches }) => branches))
  if (keys.some((key) => key.branches > 1 && key.branches !== branches))
    throw new InvalidDescriptor('its steps of several numbers differ in how many they have')
  return { branches, isRanged: keys.some(({ isRanged }) => isRanged), scriptAt }
}

/** Its scripts, of one with `/*` those of the first `count` indexes. */
export function scriptsOf({ branches, isRanged, scriptAt }: Descriptor, count: number): Buffer[] {
  const indexes = Array.from({ length: isRanged ? count : 1 }, (_, index) => index)
  return Array.from({ length: branches }, (_, branch) => indexes.map((index) => scriptAt({ branch, index }))).flat()
}

function withoutChecksum(descriptor: string): string {
  if (descriptor.length > MAX_LENGTH) throw new InvalidDescriptor('it is too long')
  const end = descriptor.indexOf('#')
  const text = end < 0 ? descriptor : descriptor.slice(0, end)
  const checksum = descriptorChecksum(text)
  if (!checksum) throw new InvalidDescriptor('it has a character that no descriptor has')
  if (end >= 0 && descriptor.slice(end + 1) !== checksum) throw new InvalidDescriptor('the checksum after its # is not right')
  return text
}

type ScriptAt = (place: ScriptPosition) => Buffer
/** Where an expression stands: each place takes others, and other keys. */
type Within = 'sh' | 'wsh'

// Core relays bare multisig of no more keys; OP_CHECKMULTISIG takes no more; BIP 16 limits what it hashes.
const MAX_BARE_KEYS = 3
const MAX_KEYS = 20
const MAX_REDEEM_SCRIPT = 520
const MAX_TAPSCRIPT_KEYS = 999
// BIP 341.
const MAX_TREE_DEPTH = 128
const MAX_LENGTH = 100_000

/** Reads the expressions of one descriptor, and collects its keys. */
class Reader {
  constructor(
    private readonly rules: ChainRules,
    private readonly keys: KeyExpression[],
  ) {}

  top(expression: Expression): ScriptAt {
    switch (expression.name) {
      case 'addr':
        return constant(this.addressed(argumentOf(expression)))
      case 'raw':
        return constant(rawScript(argumentOf(expression)))
      case 'sh':
        return this.scriptHash(expressionOf(argumentOf(expression)))
      case 'tr':
        return this.taproot(expression)
      case 'wpkh':
        return this.witnessKeyHash(expression)
      case 'wsh':
        return this.witnessScriptHash(expressionOf(argumentOf(expression)))
      default:
        return this.keyScript(expression)
    }
  }

  private addressed(address: string): Buffer {
    try {
      return scriptOfAddress(address, this.rules)
    } catch (error) {
      if (error instanceof InvalidAddress) throw new InvalidDescriptor(`its address is none of this chain: ${error.message}`)
      throw error
    }
  }

  /** BIP 381. */
  private scriptHash(expression: Expression): ScriptAt {
    const inner = this.nested(expression)
    return (place) => payToScriptHash(hash160(inner(place)))
  }

  private nested(expression: Expression): ScriptAt {
    if (expression.name === 'wpkh') return this.witnessKeyHash(expression)
    if (expression.name === 'wsh') return this.witnessScriptHash(expressionOf(argumentOf(expression)))
    const inner = this.keyScript(expression, 'sh')
    if (inner(FIRST).length > MAX_REDEEM_SCRIPT) throw new InvalidDescriptor(`a script in sh() has at most ${MAX_REDEEM_SCRIPT} bytes`)
    return inner
  }

  /** BIP 382. */
  private witnessKeyHash(expression: Expression): ScriptAt {
    this.refuseWithoutWitness()
    const key = this.compressedKey(argumentOf(expression), 'wpkh')
    return (place) => payToWitness({ version: 0, program: hash160(key.publicKey(place)) })
  }

  private witnessScriptHash(expression: Expression): ScriptAt {
    this.refuseWithoutWitness()
    const inner = this.keyScript(expression, 'wsh')
    return (place) => payToWitness({ version: 0, program: sha256(inner(place)) })
  }

  /** BIP 381 and 383. */
  private keyScript(expression: Expression, within?: Within): ScriptAt {
    const keyOf = (text: string) => (within === 'wsh' ? this.compressedKey(text, within) : this.key(text))
    switch (expression.name) {
      case 'pk': {
        const key = keyOf(argumentOf(expression))
        return (place) => payToPublicKey(key.publicKey(place))
      }
      case 'pkh': {
        const key = keyOf(argumentOf(expression))
        return (place) => payToPublicKeyHash(hash160(key.publicKey(place)))
      }
      case 'multi':
      case 'sortedmulti': {
        const [required, keys] = this.multisigOf(expression, within ? MAX_KEYS : MAX_BARE_KEYS, keyOf)
        return (place) => multisig(required, inOrder(expression, publicKeys(keys, place)))
      }
      default:
        throw new InvalidDescriptor(within ? `${within}() takes no ${expression.name}()` : `${expression.name}() is not known`)
    }
  }

  /** BIP 386. */
  private taproot({ args: [keyText = '', tree, ...others] }: Expression): ScriptAt {
    this.refuseWithoutWitness()
    if (others.length > 0) throw new InvalidDescriptor('tr() takes a key and a tree')
    const key = this.collect(xOnlyKeyOf(keyText, this.rules))
    const rootAt = tree === undefined ? undefined : this.tree(tree)
    return (place) => payToWitness({ version: 1, program: outputKey(key.publicKey(place), rootAt?.(place)) })
  }

  private tree(text: string, depth = 0): ScriptAt {
    if (depth > MAX_TREE_DEPTH) throw new InvalidDescriptor(`a tree is at most ${MAX_TREE_DEPTH} branches deep`)
    if (!text.startsWith('{')) return this.leaf(expressionOf(text))
    const [left, right, ...others] = text.endsWith('}') ? splitList(text.slice(1, -1)) : []
    if (left === undefined || right === undefined || others.length > 0)
      throw new InvalidDescriptor('a branch of a tree is written {left,right}')
    const [one, other] = [this.tree(left, depth + 1), this.tree(right, depth + 1)]
    return (place) => branchHash(one(place), other(place))
  }

  /** BIP 387 beside `pk`. */
  private leaf(expression: Expression): ScriptAt {
    const keyOf = (text: string) => this.collect(xOnlyKeyOf(text, this.rules))
    if (expression.name === 'pk') {
      const key = keyOf(argumentOf(expression))
      return (place) => leafHash(payToPublicKey(key.publicKey(place)))
    }
    if (!/^(sorted)?multi_a$/.test(expression.name)) throw new InvalidDescriptor(`tr() takes no ${expression.name}()`)
    const [required, keys] = this.multisigOf(expression, MAX_TAPSCRIPT_KEYS, keyOf)
    return (place) => leafHash(multisigByAddition(required, inOrder(expression, publicKeys(keys, place))))
  }

  private multisigOf(
    { name, args: [required = '', ...keys] }: Expression,
    maxKeys: number,
    keyOf: (text: string) => KeyExpression,
  ): [required: number, keys: readonly KeyExpression[]] {
    const isRight = /^[1-9]\d{0,2}$/.test(required) && Number(required) <= keys.length && keys.length <= maxKeys
    if (!isRight) throw new InvalidDescriptor(`${name}() takes how many must sign, and at least so many and at most ${maxKeys} keys`)
    return [Number(required), keys.map(keyOf)]
  }

  private key(text: string): KeyExpression {
    return this.collect(keyExpressionOf(text, this.rules))
  }

  private compressedKey(text: string, within: string): KeyExpression {
    const key = this.key(text)
    if (!key.isCompressed) throw new InvalidDescriptor(`${within}() takes compressed keys only`)
    return key
  }

  private collect(key: KeyExpression): KeyExpression {
    this.keys.push(key)
    return key
  }

  private refuseWithoutWitness(): void {
    const { coin, bech32Prefix } = this.rules
    if (!bech32Prefix) throw new InvalidDescriptor(`${coin} has no witness scripts`)
  }
}

const FIRST: ScriptPosition = { branch: 0, index: 0 }

function constant(script: Buffer): ScriptAt {
  return () => script
}

function rawScript(hex: string): Buffer {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new InvalidDescriptor('its script is not written in hex')
  const script = Buffer.from(hex, 'hex')
  if (isUnspendable(script)) throw new InvalidDescriptor('nobody can spend what is paid to its script')
  return script
}

function publicKeys(keys: readonly KeyExpression[], place: ScriptPosition): Buffer[] {
  return keys.map((key) => key.publicKey(place))
}

function inOrder({ name }: Expression, keys: Buffer[]): Buffer[] {
  return name.startsWith('sorted') ? keys.sort(Buffer.compare) : keys
}
