import { Signal } from '@trestle/runtime/signal'
import type { CallSignal } from '../call-signal.js'
import { type CallOutcome, errorOf } from '../framing/outcome.js'
import type { HeadFeed } from '../heads/head-feed.js'
import type { UpstreamPool } from '../upstreams/upstream-pool.engine.js'
import { isNull } from '../upstreams/upstream-request.js'
import { blockNumberOfReceipt, goDuration, timeoutOf } from './sync-timeout.js'

/** How the gateway answers a question about the chain. */
type Ask = () => CallOutcome | Promise<CallOutcome>

interface SyncSending {
  readonly receiptOf: (hash: string) => Ask
  /** The caller's. */
  readonly signal: CallSignal
}

/** A receipt may be there before the head that has its block is reported. */
const POLL_MS = 1000
// EIP-7966
const NOT_PROCESSED = 4

/** `eth_sendRawTransactionSync` (EIP-7966): sends a transaction, and answers with its receipt. */
export class TransactionSync {
  constructor(
    private readonly feed: Pick<HeadFeed, 'chain' | 'onChange'>,
    private readonly upstreams: Pick<UpstreamPool, 'broadcast'>,
    private readonly maxMs: number,
  ) {}

  async send([raw, timeout]: readonly unknown[], { receiptOf, signal }: SyncSending): Promise<CallOutcome> {
    const timeoutMs = timeoutOf(timeout, this.maxMs)
    const deadline = performance.now() + timeoutMs
    const sent = await this.upstreams.broadcast(JSON.stringify(raw === undefined ? [] : [raw]))
    if (sent.member === 'error') return sent
    const hash: string = JSON.parse(sent.json.toString())
    const receipt = await this.awaitReceipt(receiptOf(hash), deadline, signal)
    if (receipt) return receipt
    const message = `The transaction was added to the transaction pool but wasn't processed in ${goDuration(timeoutMs)}`
    return errorOf({ code: NOT_PROCESSED, message, data: hash })
  }

  /** Once our head has its block: what the sender reads next is not from before it. */
  private async awaitReceipt(receipt: Ask, deadline: number, signal: CallSignal): Promise<CallOutcome | undefined> {
    const changed = new Signal()
    const leaving = new AbortController()
    const left = { handleEvent: () => leaving.abort() }
    const unsubscribe = this.feed.onChange(() => changed.notify())
    signal.addEventListener('abort', left, { once: true })
    try {
      let found: CallOutcome | undefined
      for (;;) {
        found ??= await foundBy(receipt)
        const restMs = deadline - performance.now()
        if ((found && this.hasBlockOf(found)) || restMs <= 0 || signal.aborted) return found
        await changed.wait(Math.min(restMs, POLL_MS), leaving.signal)
      }
    } finally {
      signal.removeEventListener('abort', left)
      unsubscribe()
    }
  }

  private hasBlockOf({ json }: CallOutcome): boolean {
    return (this.feed.chain.head?.number ?? 0) >= blockNumberOfReceipt(json.toString())
  }
}

/** Undefined while there is none, or no node answers. */
async function foundBy(receipt: Ask): Promise<CallOutcome | undefined> {
  const outcome = await Promise.resolve()
    .then(receipt)
    .catch(() => undefined)
  return outcome?.member === 'result' && !isNull(outcome.json) ? outcome : undefined
}
