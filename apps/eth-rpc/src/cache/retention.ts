import type { CallOutcome } from '../framing/outcome.js'
import type { ChainBlock, FollowedChain } from '../heads/followed-chain.js'
import { type NamedBlock, namedBlock } from './named-block.js'
import { isFinal, type ResolvedCall } from './resolved-call.js'

/** An answer may be kept for ever, or as long as the chain loses no block. */
export interface Retention {
  readonly final: boolean
  /** Of the block the answer is about. */
  readonly number: number
}

type KnownChain = Pick<FollowedChain, 'head' | 'finalized' | 'at'>

const NULL = Buffer.from('null')
const REVERT = Buffer.from('{"code":3,')

/** Undefined where the answer may not be kept. */
export function retentionOf(question: ResolvedCall, outcome: CallOutcome, chain: KnownChain): Retention | undefined {
  const { cacheable, final, at, block, method } = question
  if (!cacheable || !isLasting(question, outcome)) return undefined
  // The same object: a block that went and came back may have been answered for by a node that was on the other branch.
  if (at) return chain.at(at.number) === at && isAbout(question, at, outcome) ? { final, number: at.number } : undefined
  if (final && block && 'number' in block) return { final, number: block.number }
  return leaseOfTold(question, namedBlock(method, outcome.json), chain)
}

/** What is not there yet may come, and most errors pass; but a call that reverts at a final block will always. */
function isLasting({ final }: ResolvedCall, { member, json }: CallOutcome): boolean {
  if (member === 'result') return !json.equals(NULL)
  return final && json.subarray(0, REVERT.length).equals(REVERT)
}

/** Whether the answer tells no other block than was meant: a node may have gone to another branch before we heard of it. */
function isAbout({ method, block }: ResolvedCall, at: ChainBlock, { json }: CallOutcome): boolean {
  // Logs of a range are of many blocks.
  if (method.blockForm === 'criteria' && block && 'number' in block) return true
  const told = namedBlock(method, json)
  return told?.hash === undefined || told.hash === at.hash
}

/** Ours, or so old that no node was on another branch when it was asked. */
function leaseOfTold({ sureTo = -1 }: ResolvedCall, told: NamedBlock | undefined, chain: KnownChain): Retention | undefined {
  if (!told) return undefined
  const { number } = told
  const ours = chain.at(number)
  const trusted = ours ? ours.hash === told.hash : number <= sureTo
  return trusted ? { final: isFinal(number, chain), number } : undefined
}
