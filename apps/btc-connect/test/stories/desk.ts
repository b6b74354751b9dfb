import type { RpcInvocation } from '@trestle/devnet/chains/node-rpc'
import type { OutputLock } from './locks.js'
import type { NodeConsole } from './node-console.js'
import { hasOpenLock, type RawPayment, serialized, signingCall } from './raw-payment.js'

export interface DeskOptions {
  /** Of `sendrawtransaction`: Bitcoin's asks before it burns coins, and is to be told that we mean it. */
  readonly limits?: readonly number[]
  /** Litecoin's `generateblock` cannot make a block with an MWEB part. */
  readonly mweb?: boolean
}

/** Where payments are handed in: a node signs them, lets them wait, and puts them into blocks. */
export class Desk {
  /** What the node did not let wait, by its reason. */
  readonly refusals = new Map<string, number>()

  constructor(
    private readonly node: NodeConsole,
    private readonly options: DeskOptions,
  ) {}

  /** Those that wait now, by their ids. */
  async submit(payments: readonly RawPayment[]): Promise<[string, RawPayment][]> {
    const outcomes = await this.send(await this.signed(payments))
    return outcomes.flatMap(({ result }, i): [string, RawPayment][] => (result ? [[result, payments[i] as RawPayment]] : []))
  }

  /** What blocks had that are left: a node itself remembers that of a few blocks only. */
  async sendAgain(blocks: readonly string[]): Promise<void> {
    const read = await this.node.batch<{ tx: { hex: string }[] }>(blocks.map((hash) => ['getblock', hash, 2]))
    await this.send(read.flatMap(({ tx: [, ...payments] }) => payments.map(({ hex }) => hex)))
  }

  /** Blocks with all that waits, paid to these. */
  async mine(miners: readonly Pick<OutputLock, 'script'>[]): Promise<string[]> {
    // A descriptor cannot be of an empty script.
    const named = miners.map(({ script }) => script.toString('hex') || '51')
    const blocks = await this.node.batch<[string]>(named.map((script) => ['generatetodescriptor', 1, `raw(${script})`]))
    return blocks.flat()
  }

  /** A block with these, and nothing that waits; undefined where the node cannot make one. */
  async mineExactly(
    payments: readonly RawPayment[],
    { script }: Pick<OutputLock, 'script'>,
  ): Promise<{ hash: string; tx: string[] } | undefined> {
    if (this.options.mweb || payments.length === 0) return undefined
    const miner = `raw(${script.toString('hex')})`
    const { hash } = await this.node.call<{ hash: string }>('generateblock', miner, await this.signed(payments))
    return this.node.call('getblock', hash)
  }

  private async send(hex: readonly string[]) {
    const outcomes = await this.node.settle<string>(
      hex.map((each): RpcInvocation => ['sendrawtransaction', each, ...(this.options.limits ?? [])]),
    )
    for (const { error } of outcomes) if (error) this.refusals.set(error.message, (this.refusals.get(error.message) ?? 0) + 1)
    return outcomes
  }

  private async signed(payments: readonly RawPayment[]): Promise<string[]> {
    const closed = payments.filter((payment) => !hasOpenLock(payment))
    const answers = await this.node.batch<{ hex: string; complete: boolean; errors: unknown }>(closed.map(signingCall))
    const unsigned = answers.find(({ complete }) => !complete)
    if (unsigned) throw new Error(`the node did not sign: ${JSON.stringify(unsigned.errors)}`)
    return payments.map((payment) => answers[closed.indexOf(payment)]?.hex ?? serialized(payment).toString('hex'))
  }
}
