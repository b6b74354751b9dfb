import { z } from 'zod'
import type { ChainBlock } from './followed-chain.js'
import type { LogEntry } from './head-feed.js'
import { parseChainBlock, parseQuantity } from './header.js'
import type { HeaderCheck } from './header-check.engine.js'
import { type SyncProgress, syncProgressOf } from './sync-progress.js'

/** Sends JSON-RPC to a node. */
export interface JsonSender {
  send(body: string, options: { readonly timeoutMs: number; readonly maxBytes: number; readonly signal?: AbortSignal }): Promise<Buffer>
}

/** A block whose hash is not that of its header. */
export class ForgedBlock extends Error {}

/** The node has answered with an error. */
class EvmNodeError extends Error {}

const Answer = z.looseObject({ result: z.unknown().optional(), error: z.object({ code: z.number(), message: z.string() }).optional() })
const Log = z.looseObject({ address: z.string(), topics: z.array(z.string()), blockHash: z.string() })
const Hashes = z.array(z.string())

const TIMEOUT_MS = 5_000
const SMALL = 4 * 1024 * 1024
// A block of 100 million gas cannot hold more.
const LARGE = 64 * 1024 * 1024

/** The JSON-RPC requests for following a chain. */
export class EvmNodeClient {
  constructor(
    private readonly link: JsonSender,
    private readonly headers: Pick<HeaderCheck, 'isForged'>,
  ) {}

  async latest(): Promise<ChainBlock> {
    return this.checked(await this.ask('eth_getBlockByNumber', ['latest', false]))
  }

  async blockAt(number: number): Promise<ChainBlock | undefined> {
    const shown = await this.ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    return shown === null ? undefined : this.checked(shown)
  }

  async block(hash: string): Promise<ChainBlock | undefined> {
    const shown = await this.ask('eth_getBlockByHash', [hash, false])
    return shown === null ? undefined : this.checked(shown)
  }

  /** Undefined where the node knows no such block. */
  async tagged(tag: 'safe' | 'finalized'): Promise<ChainBlock | undefined> {
    const shown = await this.ask('eth_getBlockByNumber', [tag, false]).catch(unlessRefused(null))
    return shown === null ? undefined : this.checked(shown)
  }

  async chainId(): Promise<number> {
    return parseQuantity(await this.ask('eth_chainId', []))
  }

  /** How far it is, if it has to catch up. */
  async syncing(): Promise<SyncProgress | 'unknown' | undefined> {
    return syncProgressOf(await this.ask('eth_syncing', []).catch(unlessRefused(false)))
  }

  async logs(blockHash: string): Promise<LogEntry[]> {
    const logs = z.array(Log).parse(await this.ask('eth_getLogs', [{ blockHash }], LARGE))
    if (logs.some((log) => log.blockHash.toLowerCase() !== blockHash)) throw new Error('The node answers with logs of another block.')
    return logs.map((log) => ({ address: log.address, topics: log.topics, json: JSON.stringify(log) }))
  }

  async newPendingFilter(): Promise<string> {
    return z.string().parse(await this.ask('eth_newPendingTransactionFilter', []))
  }

  async newlyPending(filter: string): Promise<string[]> {
    return Hashes.parse(await this.ask('eth_getFilterChanges', [filter], LARGE))
  }

  async uninstall(filter: string): Promise<void> {
    await this.ask('eth_uninstallFilter', [filter])
  }

  private checked(shown: unknown): ChainBlock {
    const block = parseChainBlock(shown, Date.now())
    if (this.headers.isForged(block)) throw new ForgedBlock('The node shows a block whose hash is not that of its header.')
    return block
  }

  private async ask(method: string, params: readonly unknown[], maxBytes = SMALL): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = Answer.parse(JSON.parse((await this.link.send(body, { timeoutMs: TIMEOUT_MS, maxBytes })).toString()))
    if (answer.error) throw new EvmNodeError(answer.error.message)
    return answer.result
  }
}

function unlessRefused<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof EvmNodeError) return instead
    throw error
  }
}

/** Only the message: a cause may name the address. */
export function failureReasonOf(error: unknown): string {
  return error instanceof SyntaxError || error instanceof z.ZodError ? 'its answer is malformed' : (error as Error).message
}
