import type { HeaderHash } from '@trestle/contracts/chains/chain'
import { headerHash } from '../integrity/header-hash.js'
import type { ChainBlock } from './followed-chain.js'

const MAX_KNOWN = 256

/**
 * Whether blocks have the hashes of their headers. Chains hash what they like: where no record says how, it is checked from the first of our
 * blocks on for which it is so.
 */
export class HeaderCheck {
  private isUnderstood: boolean
  /** Headers whose hash is right, by hash: nodes that are polled show the same one again and again. */
  private readonly right = new Map<string, string>()

  constructor(private readonly rule?: HeaderHash) {
    this.isUnderstood = rule === 'ethereum'
  }

  /** These are of our chain. */
  learn(blocks: readonly ChainBlock[]): void {
    if (this.rule === undefined) this.isUnderstood ||= blocks.some((block) => block.hash === hashOf(block))
  }

  isForged(block: ChainBlock): boolean {
    if (!this.isUnderstood || this.right.get(block.hash) === block.header) return false
    const hash = hashOf(block)
    const isForged = hash !== undefined && hash !== block.hash
    if (!isForged) this.remember(block)
    return isForged
  }

  private remember({ hash, header }: ChainBlock): void {
    this.right.set(hash, header)
    const [oldest] = this.right.keys()
    if (this.right.size > MAX_KNOWN && oldest !== undefined) this.right.delete(oldest)
  }
}

function hashOf({ header }: ChainBlock): string | undefined {
  return headerHash(JSON.parse(header))
}
