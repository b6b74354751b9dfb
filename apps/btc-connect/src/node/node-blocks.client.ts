import { Inject, Injectable } from '@nestjs/common'
import { type Block, checkBlock, HEADER_LENGTH, hashOfHeader, parseBlock } from '@trestle/bitcoin/block'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { messageOf } from '@trestle/problem/thrown'
import { RULES } from '../settings.module.js'
import { BlockSource, type ChainTip } from './block-source.js'
import { NodeClient } from './node.client.js'
import { blockHash, blockHeader, type ChainInfo, chainInfo, rawBlock } from './node-calls.js'
import { NodeCapabilitiesService } from './node-capabilities.service.js'
import { BadBlock, ChainMoved, NodeOnWrongNetwork, NodePruned, NodeRefusal, NodeUnreachable, RPC } from './node-errors.js'
import { prefetched } from './prefetch.engine.js'

const TIMEOUT_MS = 60_000
/** Twice the largest block of any network, in hex. */
const MAX_BYTES = 160 * 1024 * 1024
const HASH_BATCH = 500

/** Reads the node's chain. A block is trusted only as far as its bytes prove. */
@Injectable()
export class NodeBlocksClient extends BlockSource {
  constructor(
    private readonly node: NodeClient,
    private readonly capabilities: NodeCapabilitiesService,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {
    super()
  }

  async tip(signal: AbortSignal): Promise<ChainTip> {
    const { genesisHash, forkBlock = { height: 0, hash: genesisHash } } = this.rules
    const [chain, genesis, fork] = await this.node.callAll([chainInfo, blockHash(0), blockHash(forkBlock.height)], { signal })
    if (chain instanceof NodeRefusal) throw new NodeUnreachable(`The node does not report its chain: ${chain.message}`)
    if (genesis instanceof NodeRefusal) throw new NodeUnreachable(`The node does not report its first block: ${genesis.message}`)
    // A node that is still syncing may not have the fork block yet.
    const isOtherFork = !(fork instanceof NodeRefusal) && fork.toString('hex') !== forkBlock.hash
    if (chain.chain !== this.rules.nodeChain || genesis.toString('hex') !== genesisHash || isOtherFork)
      throw this.wrongNetwork(chain, genesis)
    return { height: chain.blocks, hash: chain.bestblockhash, goal: goalOf(chain) }
  }

  async hashAt(height: number, signal: AbortSignal): Promise<Buffer | undefined> {
    const [hash] = await this.node.callAll([blockHash(height)], { signal })
    if (!(hash instanceof NodeRefusal)) return hash
    if (hash.code === RPC.invalidParameter) return undefined
    throw hash
  }

  async workAt(height: number, signal: AbortSignal): Promise<bigint> {
    const hash = await this.hashAt(height, signal)
    if (!hash) throw new ChainMoved(`The node's chain ends before block ${height}.`)
    return (await this.node.call(blockHeader(hash), { signal })).chainwork
  }

  async *blocks(first: number, last: number, signal: AbortSignal): AsyncIterable<Block> {
    let previous = first > 0 ? await this.hashAt(first - 1, signal) : Buffer.alloc(32)
    const read = async (hash: Buffer, until: AbortSignal) => ({ hash, raw: await this.read(hash, until) })
    for await (const { hash, raw } of prefetched(this.hashes(first, last, signal), read, { signal, sizeOf: ({ raw }) => raw.length })) {
      const block = this.checked(raw, hash)
      if (!previous?.equals(block.header.previousHash)) throw new ChainMoved('The node switched branches between two blocks.')
      previous = hash
      yield block
    }
  }

  async block(hash: Buffer, signal: AbortSignal): Promise<Block> {
    return this.checked(await this.read(hash, signal), hash)
  }

  private async *hashes(first: number, last: number, signal: AbortSignal): AsyncIterable<Buffer> {
    for (let height = first; height <= last; height += HASH_BATCH) {
      const count = Math.min(HASH_BATCH, last - height + 1)
      const questions = Array.from({ length: count }, (_, i) => blockHash(height + i))
      for (const hash of await this.node.callAll(questions, { signal })) {
        if (hash instanceof NodeRefusal) throw new ChainMoved(`The node's chain ends before block ${last}.`)
        yield hash
      }
    }
  }

  private checked(raw: Buffer, hash: Buffer): Block {
    const expected = hash.toString('hex')
    try {
      const block = parseBlock(raw, this.rules.coin)
      if (!block.header.hash.equals(hash)) throw new BadBlock(`The node sent block ${block.header.hash.toString('hex')} for ${expected}.`)
      checkBlock(block, this.rules)
      return block
    } catch (cause) {
      if (cause instanceof BadBlock) throw cause
      throw new BadBlock(`The node sent invalid data for block ${expected}: ${messageOf(cause)}`, { cause })
    }
  }

  /** Whether these are the bytes of the block of that hash, as far as its header says. */
  hasHash(raw: Buffer, hash: Buffer): boolean {
    return hashOfHeader(raw.subarray(0, HEADER_LENGTH), this.rules.coin).equals(hash)
  }

  /** The bytes of a block, unverified. */
  async read(hash: Buffer, signal: AbortSignal): Promise<Buffer> {
    const limits = { signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    try {
      if (!(await this.capabilities.get()).rest) return await this.node.call(rawBlock(hash), limits)
      // Where REST has nothing, JSON-RPC returns the reason.
      return await this.node.rest(`/block/${hash.toString('hex')}.bin`, limits).catch((error) => {
        if (error instanceof NodeRefusal) return this.node.call(rawBlock(hash), limits)
        throw error
      })
    } catch (error) {
      throw this.translated(error, hash)
    }
  }

  private translated(error: unknown, hash: Buffer): unknown {
    if (error instanceof NodeUnreachable) this.capabilities.reset()
    if (!(error instanceof NodeRefusal)) return error
    const id = hash.toString('hex')
    if (/pruned/i.test(error.message)) return new NodePruned(`The node has pruned block ${id}.`)
    if (error.code === RPC.invalidAddressOrKey) return new ChainMoved(`The node does not know block ${id}.`)
    return new NodeUnreachable(`The node cannot read block ${id}: ${error.message}`)
  }

  private wrongNetwork({ chain }: ChainInfo, genesis: Buffer): NodeOnWrongNetwork {
    const { coin, network } = this.rules
    return new NodeOnWrongNetwork(
      `The node is on "${chain}", whose first block is ${genesis.toString('hex')}: that is not ${coin} ${network}.`,
    )
  }
}

/** A node whose last block is old always reports an initial download; more blocks come only if it has more headers. */
function goalOf({ blocks, headers = blocks, initialblockdownload }: ChainInfo): number | undefined {
  return initialblockdownload && headers > blocks ? headers : undefined
}
