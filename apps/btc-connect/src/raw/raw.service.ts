import { Injectable } from '@nestjs/common'
import { NodeClient } from '../node/node.client.js'
import { NodeBlocksClient } from '../node/node-blocks.client.js'
import { rawTransaction } from '../node/node-calls.js'
import { BadBlock, ChainMoved, NodeRefusal, NodeUnreachable, RPC } from '../node/node-errors.js'
import { parseHash, parseTxid } from '../reading/hash.js'
import { notFound } from '../reading/refusals.js'
import { SnapshotsService } from '../reading/snapshots.service.js'
import { RawRepository } from './raw.repository.js'
import { Semaphore } from './semaphore.engine.js'

/** A block, its hex and its JSON are in memory at the same time. */
const MAX_BLOCKS = 2

@Injectable()
export class RawService {
  private readonly semaphore = new Semaphore(MAX_BLOCKS)

  constructor(
    private readonly node: NodeClient,
    private readonly blocks: NodeBlocksClient,
    private readonly snapshots: SnapshotsService,
    private readonly transactions: RawRepository,
  ) {}

  async block(text: string): Promise<{ rawblock: string }> {
    const hash = parseHash(text)
    if (!hash) throw notFound()
    return this.semaphore.run(async () => ({ rawblock: (await this.readBlock(hash)).toString('hex') }))
  }

  async transaction(text: string): Promise<{ rawtx: string }> {
    const txid = parseTxid(text)
    // Without a transaction index, the node finds a transaction only in its mempool or in the given block.
    const block = await this.snapshots.read(({ client }) => this.transactions.findBlockHash(client, txid))
    try {
      const raw = await this.node.call(rawTransaction(txid, block))
      return { rawtx: raw.toString('hex') }
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      if (error.code === RPC.invalidAddressOrKey) throw notFound()
      throw new NodeUnreachable(`The node cannot read a transaction: ${error.message}`)
    }
  }

  private async readBlock(hash: Buffer): Promise<Buffer> {
    const raw = await this.blocks.read(hash, new AbortController().signal).catch((error) => {
      throw error instanceof ChainMoved ? notFound() : error
    })
    if (this.blocks.hasHash(raw, hash)) return raw
    throw new BadBlock(`The node sent another block for ${hash.toString('hex')}.`)
  }
}
