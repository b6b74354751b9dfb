import type { RpcInvocation } from '@trestle/devnet/chains/node-rpc'
import type { OutputLock } from './locks.js'
import type { NodeConsole } from './node-console.js'
import type { SeededRandom } from './random.js'

/** The node's own wallet: slow, and it knows what we do not (descriptors, coin selection, fee bumping, taproot). */
export class StoryWallet {
  private readonly addresses: string[] = []

  private constructor(
    private readonly console: NodeConsole,
    private readonly kinds: readonly string[],
  ) {}

  static async create(node: NodeConsole, { isBitcoin }: { readonly isBitcoin: boolean }): Promise<StoryWallet> {
    await node.call('createwallet', 'people')
    return new StoryWallet(node.wallet('people'), ['legacy', 'p2sh-segwit', 'bech32', ...(isBitcoin ? ['bech32m'] : [])])
  }

  /** A new one, of each kind in turn. */
  async address(): Promise<string> {
    const address = await this.console.call<string>('getnewaddress', '', this.kinds[this.addresses.length % this.kinds.length])
    this.addresses.push(address)
    return address
  }

  async lock(): Promise<Pick<OutputLock, 'script'>> {
    const { scriptPubKey } = await this.console.call<{ scriptPubKey: string }>('getaddressinfo', await this.address())
    return { script: Buffer.from(scriptPubKey, 'hex') }
  }

  /** Something that people do with a wallet; it may have nothing to do it with. */
  async act(random: SeededRandom): Promise<void> {
    const { trusted } = (await this.console.call<{ mine: { trusted: string } }>('getbalances')).mine
    if (Number(trusted) < 0.1) return
    const amount = (share: number) => (Number(trusted) * share).toFixed(8)
    const paid = await this.address()
    const people = Object.fromEntries((await this.some(random)).map((each) => [each, amount(0.02)]))
    const acts: RpcInvocation[] = [
      ['sendtoaddress', paid, amount(0.1), '', '', false, true],
      ['sendmany', '', people],
      // All of it: many inputs, one output.
      ['sendtoaddress', paid, trusted, '', '', true, true],
    ]
    const [done] = await this.console.settle<string>([random.pick(acts)])
    if (done?.result && random.chance(0.5)) await this.console.settle([['bumpfee', done.result]])
  }

  private async some(random: SeededRandom): Promise<string[]> {
    return [await this.address(), ...random.sample(this.addresses, 8)].filter((each, i, all) => all.indexOf(each) === i)
  }
}
