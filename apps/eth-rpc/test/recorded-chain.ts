import type { EthereumRpc } from '@trestle/devnet/ethereum/ethereum-rpc'
import type { LedgerBlock, LedgerLog } from './ledgers.js'

interface Header {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
}

/** All blocks that a chain ever had, with their logs. */
export class RecordedChain {
  private readonly blocks = new Map<string, LedgerBlock>()

  constructor(private readonly rpc: EthereumRpc) {}

  readonly find = (hash: string): LedgerBlock | undefined => this.blocks.get(hash)

  at(number: number): LedgerBlock[] {
    return [...this.blocks.values()].filter((block) => block.number === number)
  }

  /** Up to the newest block, which it returns: after each change of the chain. */
  async record(): Promise<LedgerBlock> {
    return this.recorded(await this.rpc.call('eth_getBlockByNumber', 'latest', false))
  }

  private async recorded({ number, hash, parentHash }: Header): Promise<LedgerBlock> {
    const known = this.find(hash)
    if (known) return known
    const parent = Number(number) > 0 ? await this.recorded(await this.rpc.call('eth_getBlockByHash', parentHash, false)) : undefined
    const logs = await this.rpc.call<LedgerLog[]>('eth_getLogs', { blockHash: hash })
    const block = { number: Number(number), hash, parent, logs }
    this.blocks.set(hash, block)
    return block
  }
}
