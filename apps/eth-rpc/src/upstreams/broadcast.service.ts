import { setTimeout as delay } from 'node:timers/promises'
import { Inject, Injectable } from '@nestjs/common'
import type { EthRpcEnv } from '../env.js'
import { type Outcome, resultOf } from '../framing/outcome.js'
import { unavailable } from '../framing/rpc-error.js'
import { ENV } from '../settings.module.js'
import { Calls } from './calls.service.js'
import { UpstreamFault } from './fault.js'
import { Fleet } from './fleet.service.js'
import { consequenceOf, type Meaning } from './node-error.js'
import { transactionHash } from './transaction-hash.js'
import type { Reply, Upstream } from './upstream.service.js'
import { isNull, knownMethod, requestBody } from './upstream-request.js'

const SEND = knownMethod('eth_sendRawTransaction')
const LOOK_UP = knownMethod('eth_getTransactionByHash')
const TARGETS = 3
/** When one node has said why it will not have it, the others have so long to take it all the same. */
const DOUBT_MS = 1_000
const MAX_BYTES = 1024 * 1024

/** A node will not have it. */
class Refused extends Error {
  constructor(readonly reply: Reply) {
    super()
  }
}

/** Sends transactions: to several nodes at once, and never a second time. */
@Injectable()
export class Broadcast {
  constructor(
    private readonly fleet: Fleet,
    private readonly calls: Calls,
    @Inject(ENV) private readonly env: Pick<EthRpcEnv, 'CALL_TIMEOUT_MS'>,
  ) {}

  async broadcast(paramsJson: string): Promise<Outcome> {
    const request = { method: SEND, paramsJson }
    const targets = this.targets()
    if (targets.length === 0) throw unavailable('no upstream can answer now')
    const hash = transactionHash(JSON.parse(paramsJson)[0])
    const options = { timeoutMs: this.env.CALL_TIMEOUT_MS, maxBytes: MAX_BYTES }
    const sent = targets.map(async (upstream) => accepted(await upstream.ask(requestBody(request), options).reply, hash))
    try {
      return await Promise.race([Promise.any(sent), refusalOf(sent)])
    } catch (error) {
      return this.refusedByAll((error as AggregateError).errors, hash)
    }
  }

  private targets(): Upstream[] {
    const targets: Upstream[] = []
    while (targets.length < TARGETS) {
      const upstream = this.fleet.choose({ method: SEND }, targets)
      if (!upstream) break
      targets.push(upstream)
    }
    return targets
  }

  private async refusedByAll(errors: readonly unknown[], hash: string | undefined): Promise<Outcome> {
    const replies = errors.filter((error) => error instanceof Refused).map(({ reply }) => reply)
    const told = replies.filter(({ meaning }) => consequenceOf(meaning).isTold).sort((a, b) => worth(b.meaning) - worth(a.meaning))[0]
    if (!told) throw unavailable('no upstream has taken the transaction, but it may have been sent', replies.length > 0 ? 503 : 504)
    // Its nonce is taken: perhaps by itself, mined since.
    if (hash && replies.some(({ meaning }) => meaning === 'nonce-too-low') && (await this.isOnChain(hash))) return resultOf(hash)
    return told.outcome
  }

  private async isOnChain(hash: string): Promise<boolean> {
    try {
      const { member, json } = await this.calls.call({ method: LOOK_UP, paramsJson: JSON.stringify([hash]) })
      return member === 'result' && !isNull(json)
    } catch {
      // Nobody to ask: what the nodes said stands.
      return false
    }
  }
}

/** Rejects with what the first has said that knows something of it; never where none does. */
async function refusalOf(sent: readonly Promise<Outcome>[]): Promise<never> {
  const refused = (error: unknown) => (error instanceof Refused && worth(error.reply.meaning) > 0 ? error : Promise.reject(error))
  const first = await Promise.any(sent.map((each) => each.then(() => never, refused))).catch(() => never)
  await delay(DOUBT_MS)
  throw new AggregateError([first])
}

const never = new Promise<never>(() => {})

function accepted(reply: Reply, hash: string | undefined): Outcome {
  if (reply.outcome.member === 'result') return resultFor(reply.outcome, hash)
  if (reply.meaning === 'known-transaction' && hash) return resultOf(hash)
  throw new Refused(reply)
}

/** Whoever answers with anything else than its hash has not taken it. */
function resultFor(outcome: Outcome, hash: string | undefined): Outcome {
  if (hash === undefined || outcome.json.toString().toLowerCase() === `"${hash}"`) return outcome
  throw new UpstreamFault('malformed', 'sent another hash')
}

/** How much a reason tells the sender. */
function worth(meaning: Meaning): number {
  if (meaning === 'answer') return 2
  return meaning === 'nonce-too-low' || meaning === 'known-transaction' ? 1 : 0
}
