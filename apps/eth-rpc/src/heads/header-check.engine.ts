import { headerHash } from '../integrity/header-hash.js'
import type { ChainBlock } from './followed-chain.js'

/** Whether blocks have the hashes of their headers. Chains hash what they like: it is checked from the first of our blocks on for which it is so. */
export class HeaderCheck {
  private isUnderstood = false

  /** These are of our chain. */
  learn(blocks: readonly ChainBlock[]): void {
    this.isUnderstood ||= blocks.some((block) => block.hash === hashOf(block))
  }

  isForged(block: ChainBlock): boolean {
    if (!this.isUnderstood) return false
    const hash = hashOf(block)
    return hash !== undefined && hash !== block.hash
  }
}

function hashOf({ header }: ChainBlock): string | undefined {
  return headerHash(JSON.parse(header))
}
