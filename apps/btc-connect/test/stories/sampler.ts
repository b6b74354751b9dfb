import { setTimeout as pause } from 'node:timers/promises'
import type { BuiltReplica, ServiceReply } from './built-service.js'
import type { ChainReader } from './chain-reader.js'
import { ExpectedChainState } from './chain-state.js'
import type { SeededRandom } from './random.js'

interface Question {
  readonly path: string
  readonly kind: Kind
  readonly address: string
}

interface Sample extends Question, Pick<ServiceReply, 'height' | 'body'> {}

type Kind = 'summary' | 'outputs' | 'transactions' | 'hash'

const MOST_IDS = 1000

/** Asks while blocks come, go and the writer dies, and tells which answers were true of no state the chain ever had. */
export class Sampler {
  /** How often it was answered. */
  count = 0
  /** Answers that fit no block the node ever had at their height. */
  readonly lies: string[] = []
  private samples: Sample[] = []
  private readonly refusals = new Map<string, number>()
  private running?: Promise<void>
  private isWanted = false

  constructor(
    private readonly replica: BuiltReplica,
    private readonly random: SeededRandom,
  ) {}

  start(addresses: readonly string[]): void {
    this.isWanted = true
    this.running = this.run(addresses)
  }

  async stop(): Promise<void> {
    this.isWanted = false
    await this.running
  }

  /** What was answered with neither 200 nor "not ready". */
  get failures(): string[] {
    return [...this.refusals].map(([reason, count]) => `${reason} (${count} times)`)
  }

  /**
   * Holds the answers since the last time against a reader that knows every block that was the last meanwhile. Now and then, for an
   * answer is long, and what is true at a tip is longer.
   */
  judge(reader: ChainReader): void {
    const samples = Map.groupBy(this.samples.splice(0), ({ height }) => height)
    const blocks = Map.groupBy(reader.blocks.values(), ({ height }) => height)
    for (const [height, answers] of samples) {
      const states = (blocks.get(height) ?? []).map(({ hash }) => stateAt(hash, reader))
      for (const sample of answers) {
        const reasons = states.map((state) => contradiction(sample, state))
        if (reasons.includes(undefined)) continue
        this.lies.push(`${sample.path} at ${height}: ${reasons.join(' or ') || 'there was no such block'}`)
      }
    }
  }

  private async run(addresses: readonly string[]): Promise<void> {
    while (this.isWanted) {
      const address = this.random.pick(addresses)
      const kind = this.random.pick<Kind>(['summary', 'summary', 'outputs', 'transactions', 'hash'])
      const path = pathOf(kind, address, this.random)
      const answer = await this.replica.get(path).catch((error: Error) => error)
      this.note({ path, kind, address }, answer)
      await pause(20)
    }
  }

  private note(asked: Question, answer: ServiceReply | Error): void {
    if (answer instanceof Error) this.refuse(answer.message)
    else if (answer.status === 200) this.keep({ ...asked, height: answer.height, body: answer.body })
    // The index is not that far yet, or the block was taken back a moment ago.
    else if (!['NotReady', 'InvalidHeight'].includes(answer.body?.code)) this.refuse(`${answer.status} ${answer.text}`)
  }

  private keep(sample: Sample): void {
    this.count += 1
    this.samples.push(sample)
  }

  private refuse(reason: string): void {
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1)
  }
}

/** What was true when this block was the last. */
function stateAt(tip: string, reader: ChainReader): ExpectedChainState {
  const path: string[] = []
  for (let hash: string | undefined = tip; hash; hash = reader.blocks.get(hash)?.previousblockhash) path.push(hash)
  return new ExpectedChainState(reader, path.reverse())
}

function contradiction({ kind, address, path, body }: Sample, state: ExpectedChainState): string | undefined {
  switch (kind) {
    case 'summary':
      return summaryContradicts(body, address, state)
    case 'outputs':
      return outputsContradict(body, address, state)
    case 'transactions':
      return transactionsContradict(body, address, state)
    case 'hash':
      return state.path[Number(path.split('/').at(-1))]?.hash === body.blockHash ? undefined : 'another block'
  }
}

function pathOf(kind: Kind, address: string, random: SeededRandom): string {
  if (kind === 'summary') return `/addr/${address}`
  if (kind === 'outputs') return `/addr/${address}/utxo`
  if (kind === 'transactions') return `/txs?address=${address}`
  return `/block-index/${random.between(0, 200)}`
}

interface Summary {
  readonly totalReceivedSat: number
  readonly totalSentSat: number
  readonly txApperances: number
  readonly unconfirmedTxApperances: number
  readonly transactions: readonly string[]
}

function summaryContradicts(body: Summary, address: string, state: ExpectedChainState): string | undefined {
  const { received, sent, history } = state.figuresOf(address)
  if (BigInt(body.totalReceivedSat) !== received || BigInt(body.totalSentSat) !== sent) return 'other figures'
  if (body.txApperances !== history.length) return 'another count'
  const waiting = body.unconfirmedTxApperances
  if (body.transactions.length !== Math.min(MOST_IDS, waiting + history.length)) return 'a list of another length'
  const confirmed = body.transactions.slice(waiting)
  if (confirmed.some((txid, i) => txid !== history[i])) return 'another history'
  // What waits is not confirmed as well.
  return body.transactions.slice(0, waiting).some((txid) => history.includes(txid)) ? 'a transaction twice' : undefined
}

interface Unspent {
  readonly txid: string
  readonly vout: number
  readonly satoshis: number
  readonly confirmations: number
  readonly height?: number
}

/** Some of ours may be missing: what waits spends them. */
function outputsContradict(body: readonly Unspent[], address: string, state: ExpectedChainState): string | undefined {
  const ours = new Map(state.unspentAt(address).map((output) => [`${output.txid}:${output.vout}`, output]))
  const wrong = body.find(({ txid, vout, satoshis, confirmations, height }) => {
    const output = ours.get(`${txid}:${vout}`)
    if (height === undefined) return confirmations !== 0 || output !== undefined
    return output?.value !== BigInt(satoshis) || output.height !== height || confirmations !== state.tip.height - height + 1
  })
  return wrong && `output ${JSON.stringify(wrong)}`
}

interface Transactions {
  readonly pagesTotal: number
  readonly txs: readonly {
    readonly txid: string
    readonly blockhash?: string
    readonly blockheight: number
    readonly confirmations: number
  }[]
}

function transactionsContradict({ txs, pagesTotal }: Transactions, address: string, state: ExpectedChainState): string | undefined {
  const { history } = state.figuresOf(address)
  const confirmed = txs.filter(({ confirmations }) => confirmations > 0)
  if (pagesTotal < Math.ceil(history.length / 10)) return 'fewer pages'
  const wrong = confirmed.find(({ txid, blockhash, blockheight, confirmations }, i) => {
    const isOurs = history[i] === txid && state.path[blockheight]?.hash === blockhash
    return !isOurs || confirmations !== state.tip.height - blockheight + 1
  })
  return wrong && `transaction ${wrong.txid}`
}
