import type { CallOutcome } from '../framing/outcome.js'
import type { ChainBlock, FollowedChain } from '../heads/followed-chain.js'
import { type NamedBlock, namedBlock } from './named-block.js'
import { isFinalizedNumber, type ResolvedCall } from './resolved-call.js'

/** How long an answer may be kept: for ever, or until the chain loses blocks. */
interface AnswerRetention {
  readonly final: boolean
  /** Of the block the answer is about. */
  readonly number: number
}

type KnownChain = Pick<FollowedChain, 'head' | 'finalized' | 'at'>

const NULL = Buffer.from('null')
const REVERT = Buffer.from('{"code":3,')

/** Undefined where the answer may not be kept. */
export function retentionOf(question: ResolvedCall, outcome: CallOutcome, chain: KnownChain): AnswerRetention | undefined {
  const { cacheable, final, at, block, method } = question
  if (!cacheable || !isLasting(question, outcome)) return undefined
  // The same object: where the block was disconnected and connected again, the node may have been on the other branch.
  if (at) return chain.at(at.number) === at && isAbout(question, at, outcome) ? { final, number: at.number } : undefined
  if (final && block && 'number' in block) return { final, number: block.number }
  return retentionOfNamed(question, namedBlock(method, outcome.json), chain)
}

/** What is missing may still come, and most errors pass. A call that reverts at a final block always will. */
function isLasting({ final }: ResolvedCall, { member, json }: CallOutcome): boolean {
  if (member === 'result') return !json.equals(NULL)
  return final && json.subarray(0, REVERT.length).equals(REVERT)
}

/** Whether the answer names no other block than ours: the node may have changed branches before we knew. */
function isAbout({ method, block }: ResolvedCall, at: ChainBlock, { json }: CallOutcome): boolean {
  // Logs of a range are of many blocks.
  if (method.blockForm === 'criteria' && block && 'number' in block) return true
  const named = namedBlock(method, json)
  return named?.hash === undefined || named.hash === at.hash
}

/** Kept where the block is ours, or so old that no node was on another branch. */
function retentionOfNamed({ sureTo = -1 }: ResolvedCall, named: NamedBlock | undefined, chain: KnownChain): AnswerRetention | undefined {
  if (!named) return undefined
  const { number } = named
  const ours = chain.at(number)
  const trusted = ours ? ours.hash === named.hash : number <= sureTo
  return trusted ? { final: isFinalizedNumber(number, chain), number } : undefined
}
