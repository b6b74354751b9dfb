import type { RpcErrorObject } from '../framing/rpc-error.js'

/** What an error means for the node that reports it. */
export type ErrorMeaning =
  /** Nothing: any other node would say the same. */
  | 'answer'
  /** The state is no longer kept; an archive has it. */
  | 'missing-state'
  /** A block that it does not have yet, or no longer. */
  | 'unknown-block'
  /** Too many blocks or logs for one call. */
  | 'range-too-large'
  /** Called too often. */
  | 'limited'
  /** It does not know the method, or may not answer it. */
  | 'unsupported'
  /** It cannot answer anything at present. */
  | 'unwell'
  /** It failed at this call, for an unknown reason. */
  | 'failed'
  /** It has the transaction already. */
  | 'known-transaction'
  | 'nonce-too-low'

interface Rule {
  readonly meaning: ErrorMeaning
  readonly codes?: readonly number[]
  readonly message?: RegExp
  /** Not for an error about the call: its message may quote the caller, who must not be able to talk a node out of service. */
  readonly isOfNode?: true
}

const INVALID_CALL = [-32602, -32600]

// The first match counts. Codes alone say little: -32000 may be anything, and -32005 is either limit.
const RULES: readonly Rule[] = [
  // A contract can revert with any text.
  { meaning: 'answer', codes: [3] },
  {
    meaning: 'answer',
    message: /^(vm )?execution (reverted|error)|^reverted|^vm exception|out of gas|invalid opcode|^stack (under|over)flow/i,
  },
  {
    meaning: 'known-transaction',
    message: /already ?known|already imported|^known ?transaction|already (exists|in) (in )?the (mem|tx ?)?pool/i,
  },
  { meaning: 'nonce-too-low', message: /nonce (is )?too low|^old ?nonce/i },
  {
    meaning: 'range-too-large',
    codes: [-32012],
    message:
      /block range (is |was )?(too|exceed|limit|larger)|exceeds?( the)? (max(imum)?|allowed|limit of)?.{0,24}(block range|range of blocks)|returned more than [\d,]+ (results|logs)|too many (results|logs|blocks)|response size (is larger|exceed|should not)|ranges? over [\d,]+ blocks|max(imum)? (block range|range|results|logs)|limited to (a )?[\d,k]+[ -](blocks?|range)/i,
  },
  {
    meaning: 'limited',
    isOfNode: true,
    codes: [429, -32005, -32029, -32097],
    message:
      /rate.?limit|too many (requests|connections)|(request|compute units?|credits?|capacity|quota|throughput).{0,40}(exceeded|exhausted|reached)|exceeded.{0,40}(quota|capacity|requests per|units per)/i,
  },
  {
    meaning: 'missing-state',
    codes: [4444],
    message:
      /missing trie node|(historical )?state .{0,80}(not available|unavailable|pruned)|no state (available|found)|state (is )?not available|pruned|proof window|archive (node|data|state)|world ?state unavailable|history .{0,40}(unavailable|not available)/i,
  },
  {
    meaning: 'unknown-block',
    message:
      /header( for hash)? not found|unknown (block|header)|block(s)? .{0,80}(not (be )?found|cannot be found)|block not (found|available)|could not be found|block ?out ?of ?range|beyond (the )?(current )?head|block .{0,40}(is )?in the future|after last accepted block/i,
  },
  {
    meaning: 'unwell',
    isOfNode: true,
    message:
      /shutting ?down|not (yet )?(ready|synced|started)|(is|still) sync(h?ron(iz|is))?ing|sync in progress|starting up|no (available )?peers|server (is )?(too )?(busy|overloaded)|circuit.?breaker|no healthy|connection (refused|reset)/i,
  },
  {
    meaning: 'unsupported',
    codes: [-32601, -32004],
    message:
      /method .{0,80}(not (found|supported|available|exist|enabled|allowed|whitelisted)|disabled|does not exist)|unsupported method/i,
  },
  { meaning: 'failed', codes: [-32603, -32002, -32016] },
]

/** What is done about it. */
interface Consequence {
  /** Another node may do better. */
  readonly elsewhere: boolean
  /** Shown to the caller where no other node does better. */
  readonly isReported: boolean
}

const CONSEQUENCES: Readonly<Record<ErrorMeaning, Consequence>> = {
  answer: { elsewhere: false, isReported: true },
  'missing-state': { elsewhere: true, isReported: true },
  'unknown-block': { elsewhere: true, isReported: true },
  'range-too-large': { elsewhere: false, isReported: true },
  limited: { elsewhere: true, isReported: false },
  unsupported: { elsewhere: true, isReported: true },
  unwell: { elsewhere: true, isReported: false },
  failed: { elsewhere: true, isReported: true },
  'known-transaction': { elsewhere: false, isReported: true },
  'nonce-too-low': { elsewhere: false, isReported: true },
}

// What is longer is the caller's own data.
const READ_LENGTH = 512

export function meaningOf({ code, message }: RpcErrorObject): ErrorMeaning {
  const text = message.slice(0, READ_LENGTH)
  const isInvalidCall = INVALID_CALL.includes(code)
  const fits = (rule: Rule) => !(rule.isOfNode && isInvalidCall) && (rule.message?.test(text) || rule.codes?.includes(code))
  return RULES.find(fits)?.meaning ?? 'answer'
}

export function consequenceOf(meaning: ErrorMeaning): Consequence {
  return CONSEQUENCES[meaning]
}
