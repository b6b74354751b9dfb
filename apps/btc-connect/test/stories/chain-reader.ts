import type { RpcInvocation } from '@trestle/devnet/chains/node-rpc'
import type { NodeBlock, NodeOutput, NodeTransaction } from './node-block.js'
import { consoleSatoshis, type NodeConsole } from './node-console.js'

/** An output, and whose it is as far as an address can say. */
export interface ReadOutput {
  readonly value: bigint
  readonly address?: string
  readonly script: string
}

/** What a transaction does with the outputs of one address. */
export interface ReadTouch {
  readonly txid: string
  readonly received: bigint
  readonly sent: bigint
}

/** A block, and whom it concerns. */
export interface ReadBlock extends NodeBlock {
  /** By address, in the order of the block; each transaction once. */
  readonly touches: ReadonlyMap<string, readonly ReadTouch[]>
}

const BLOCKS_AT_ONCE = 25

/** Reads all that a node says of its chain, and adds up: nothing here is the service's, and every amount is a bigint. */
export class ChainReader {
  /** Of whatever branch. */
  readonly blocks = new Map<string, ReadBlock>()
  readonly outputs = new Map<string, ReadOutput>()
  readonly transactions = new Map<string, NodeTransaction>()
  /** Of public keys, in hex: what pays to a bare key belongs to the address of its hash. */
  private readonly keyAddresses = new Map<string, string>()

  constructor(readonly node: NodeConsole) {}

  /** The hashes of the best chain, by height. Blocks beside it are read when they are named. */
  async read(beside: readonly string[] = []): Promise<string[]> {
    const height = await this.node.call<number>('getblockcount')
    const hashes = await this.node.batch<string>(Array.from({ length: height + 1 }, (_, each): RpcInvocation => ['getblockhash', each]))
    const unread = [...hashes, ...beside].filter((hash) => !this.blocks.has(hash))
    for (let from = 0; from < unread.length; from += BLOCKS_AT_ONCE) {
      const calls = unread.slice(from, from + BLOCKS_AT_ONCE).map((hash): RpcInvocation => ['getblock', hash, 2])
      const blocks = await this.node.batch<NodeBlock>(calls)
      await this.learnAddresses(blocks.flatMap(({ tx }) => tx))
      for (const block of blocks) this.blocks.set(block.hash, { ...block, touches: this.touches(block) })
    }
    // It may have moved while we read.
    const best = await this.node.call<string>('getbestblockhash')
    return best === hashes.at(-1) ? hashes : this.read()
  }

  /** What waits at the node, by id, but for what nobody can see. */
  async readMempool(): Promise<Map<string, NodeTransaction>> {
    const ids = await this.node.call<string[]>('getrawmempool')
    const unread = ids.filter((txid) => !this.transactions.has(txid))
    const answers = await this.node.settle<NodeTransaction>(unread.map((txid): RpcInvocation => ['getrawtransaction', txid, true]))
    // One that is gone by now is missing at its second look as well.
    const read = answers.flatMap(({ result }) => result ?? []).map(withoutInside)
    await this.learnAddresses(read)
    for (const transaction of read) this.learn(transaction)
    const known = ids.map((txid) => this.transactions.get(txid)).filter((each) => each && each.vin.length > 0)
    return new Map(known.map((each) => [each?.txid ?? '', each as NodeTransaction]))
  }

  /** What a transaction gives to addresses, and takes from them. */
  touchesOf({ txid, vin, vout }: NodeTransaction): Map<string, ReadTouch> {
    const touches = new Map<string, ReadTouch>()
    const note = (output: ReadOutput | undefined, key: 'received' | 'sent') => {
      if (!output?.address) return
      const before = touches.get(output.address) ?? { txid, received: 0n, sent: 0n }
      touches.set(output.address, { ...before, [key]: before[key] + output.value })
    }
    for (const { txid: from, vout: n } of vin) if (from) note(this.outputs.get(`${from}:${n}`), 'sent')
    for (const { n } of vout) note(this.outputs.get(`${txid}:${n}`), 'received')
    return touches
  }

  private touches(block: NodeBlock): Map<string, ReadTouch[]> {
    const touches = new Map<string, ReadTouch[]>()
    // What the first block pays can never be spent: nodes do not even keep it.
    if (block.height === 0) return touches
    for (const transaction of block.tx) {
      this.learn(transaction)
      for (const [address, touch] of this.touchesOf(transaction)) touches.set(address, [...(touches.get(address) ?? []), touch])
    }
    return touches
  }

  private learn(transaction: NodeTransaction): void {
    this.transactions.set(transaction.txid, transaction)
    for (const output of transaction.vout) {
      const { hex } = output.scriptPubKey
      this.outputs.set(`${transaction.txid}:${output.n}`, {
        value: consoleSatoshis(output.value),
        address: this.addressOf(output),
        script: hex,
      })
    }
  }

  addressOf({ scriptPubKey: { type, hex, address, addresses = [] } }: NodeOutput): string | undefined {
    if (type === 'pubkey') return this.keyAddresses.get(keyOf(hex))
    // One that several could spend is nobody's.
    return type === 'multisig' ? undefined : (address ?? addresses[0])
  }

  private async learnAddresses(transactions: readonly NodeTransaction[]): Promise<void> {
    const scripts = transactions.flatMap(({ vout }) => vout).filter(({ scriptPubKey }) => scriptPubKey.type === 'pubkey')
    const keys = [...new Set(scripts.map(({ scriptPubKey }) => keyOf(scriptPubKey.hex)))].filter((key) => !this.keyAddresses.has(key))
    const infos = await this.node.batch<{ descriptor: string }>(keys.map((key): RpcInvocation => ['getdescriptorinfo', `pkh(${key})`]))
    const addresses = await this.node.batch<[string]>(infos.map(({ descriptor }): RpcInvocation => ['deriveaddresses', descriptor]))
    keys.forEach((key, i) => {
      this.keyAddresses.set(key, addresses[i]?.[0] ?? '')
    })
  }
}

function withoutInside({ vin, vout, ...rest }: NodeTransaction): NodeTransaction {
  return { ...rest, vin: vin.filter(({ ismweb }) => !ismweb), vout: vout.filter(({ ismweb }) => !ismweb) }
}

/** Between the byte that tells its length and the operation that checks the signature. */
function keyOf(script: string): string {
  return script.slice(2, -2)
}
