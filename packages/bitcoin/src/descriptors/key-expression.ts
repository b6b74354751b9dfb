import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { ChainRules } from '../chain-rules.js'
import { ExtendedKey } from './extended-key.js'
import { InvalidDescriptor } from './invalid-descriptor.js'

/** One of the scripts of a descriptor: a branch of `<0;1>`, and a child of it. */
export interface ScriptPosition {
  readonly branch: number
  readonly index: number
}

/** What stands for a key in each script of a descriptor. */
export interface KeyExpression {
  /** How many paths it has (BIP 389); 1 stands for any number of branches. */
  readonly branches: number
  /** Whether it ends in `/*`, and so is another key at each index. */
  readonly isRanged: boolean
  readonly isCompressed: boolean
  publicKey(place: ScriptPosition): Buffer
}

// Where the key comes from, for people; the key; its path; and whether all its children are meant.
const KEY = /^(?:\[[0-9a-fA-F]{8}(?:\/\d+[h']?)*\])?([0-9A-Za-z]+)((?:\/(?:\d+[h']?|<[^<>]*>))*)(\/\*[h']?)?$/
const PRIVATE_KEY = /^([xt]prv|[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}$)/
const HEX_KEY = /^(0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i
const X_ONLY = /^(\[[^\]]*\])?[0-9a-f]{64}$/i
// BIP 389 says at least two; a wallet has receiving addresses and change.
const MAX_BRANCHES = 10

export function keyExpressionOf(text: string, rules: ChainRules): KeyExpression {
  const [, key, path = '', children = ''] = KEY.exec(text) ?? []
  if (!key) throw new InvalidDescriptor('its key is not of the form [origin]key/path/*')
  if (PRIVATE_KEY.test(key)) throw new InvalidDescriptor('it has a private key: only public ones belong here')
  if (HEX_KEY.test(key)) return path || children ? refuseSteps() : fixedKey(key)
  if (/[h']/.test(path + children)) throw new InvalidDescriptor('a public key has no hardened children')
  const parents = parentsOf(ExtendedKey.of(key, rules.extendedKeyVersion), path)
  const isRanged = children !== ''
  const parentOf = (branch: number) => parents[parents.length === 1 ? 0 : branch] ?? refuseBranch(branch)
  const keyAt = ({ branch, index }: ScriptPosition) => (isRanged ? parentOf(branch).child(index) : parentOf(branch))
  return { branches: parents.length, isRanged, isCompressed: true, publicKey: (place) => keyAt(place).publicKey }
}

/** In `tr()`, where a key may also be 32 bytes: of the two with this x the one whose y is even (BIP 340). */
export function xOnlyKeyOf(text: string, rules: ChainRules): KeyExpression {
  const key = keyExpressionOf(X_ONLY.test(text) ? text.replace(/[0-9a-f]{64}$/i, '02$&') : text, rules)
  if (!key.isCompressed) throw new InvalidDescriptor('tr() takes no uncompressed keys')
  return { ...key, publicKey: (place) => key.publicKey(place).subarray(1) }
}

/** A step of several numbers leads to several keys; at most one step may. */
function parentsOf(key: ExtendedKey, path: string): ExtendedKey[] {
  const steps = path.split('/').slice(1).map(numbersOf)
  if (steps.filter(({ length }) => length > 1).length > 1) throw new InvalidDescriptor('its path has more than one step of several numbers')
  return steps.reduce((keys, numbers) => keys.flatMap((key) => numbers.map((number) => key.child(number))), [key])
}

function numbersOf(step: string): number[] {
  if (!step.startsWith('<')) return [Number(step)]
  const numbers = step.slice(1, -1).split(';')
  if (numbers.length < 2 || numbers.length > MAX_BRANCHES || numbers.some((number) => !/^\d+$/.test(number)))
    throw new InvalidDescriptor(`a step of several numbers is written <0;1>, with two to ${MAX_BRANCHES} of them`)
  if (new Set(numbers.map(Number)).size < numbers.length) throw new InvalidDescriptor('a step of several numbers has one of them twice')
  return numbers.map(Number)
}

function refuseSteps(): never {
  throw new InvalidDescriptor('only an extended key has children')
}

function refuseBranch(branch: number): never {
  throw new RangeError(`no branch ${branch}`)
}

function fixedKey(hex: string): KeyExpression {
  try {
    secp256k1.Point.fromHex(hex)
  } catch {
    throw new InvalidDescriptor('its key is no point of the curve')
  }
  const key = Buffer.from(hex, 'hex')
  return { branches: 1, isRanged: false, isCompressed: key.length === 33, publicKey: () => key }
}
